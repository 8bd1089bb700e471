// Colors by meaning, and what they look like in the light and the dark theme: one table for the window and
// for files. Palettes: amounts on a scale of rising lightness in the manner of viridis (van der Walt and
// Smith, 2015), kinds by Okabe and Ito (2008): both readable without color vision. Tests:
// tests/unit/plot/color_test.cpp

#pragma once

#include <cstdint>

namespace lanescope::plot {

enum class Theme : uint8_t { Light, Dark };

enum class Role : uint8_t {
  Background,  // around the panels
  Surface,     // a panel
  Sunken,      // code, empty cells
  Line,        // borders, grids
  Ink,         // text
  Dim,         // labels
  Accent,      // selection, the one color of action
  AccentSoft,  // background of a selected line
  OnAccent,    // text on Accent
  Good,        // the ideal
  Bad,         // the excess
  Emulated,
  Measured,
  Recorded,
  Modelled,  // badges
  SyntaxKeyword,
  SyntaxType,
  SyntaxNumber,
  SyntaxComment,
  SyntaxString,
};

struct Rgba {
  uint8_t red = 0, green = 0, blue = 0, alpha = 255;
  bool operator==(const Rgba&) const = default;
};

/// A color before the theme is known.
struct Color {
  enum class Scale : uint8_t {
    Role,
    Amount,
    Kind,
    Gray,      // 0 black, 1 white, in both themes: the pixels of an image
    OnAmount,  // ink on an Amount of the same number
    OnKind,    // ink on a Kind of the same number
  } scale = Scale::Role;
  Role role = Role::Ink;
  float amount = 0;  // Amount and Gray: 0..1
  uint8_t kind = 0;  // Kind: 0..7, then again from 0
  float opacity = 1;

  static constexpr Color of(Role role, float opacity = 1) { return {Scale::Role, role, 0, 0, opacity}; }
  static constexpr Color of_amount(float t, float opacity = 1) {
    return {Scale::Amount, Role::Ink, t, 0, opacity};
  }
  static constexpr Color of_kind(uint32_t k, float opacity = 1) {
    return {Scale::Kind, Role::Ink, 0, static_cast<uint8_t>(k % 8), opacity};
  }
  static constexpr Color of_gray(float t) { return {Scale::Gray, Role::Ink, t, 0, 1}; }
  /// Lanes are colored by number, 0 to 31, on the scale of amounts: the same everywhere.
  static constexpr Color of_lane(int lane, float opacity = 1) {
    return of_amount(static_cast<float>(lane) / 31.0f, opacity);
  }
  /// Ink that can be read on `surface`, where that is an amount or a kind; Ink on everything else.
  static constexpr Color on(Color surface, float opacity = 1) {
    if (surface.scale == Scale::Amount) return {Scale::OnAmount, Role::Ink, surface.amount, 0, opacity};
    if (surface.scale == Scale::Kind) return {Scale::OnKind, Role::Ink, 0, surface.kind, opacity};
    return of(Role::Ink, opacity);
  }
  bool operator==(const Color&) const = default;
};

Rgba resolve(Color color, Theme theme);

/// Ink that can be read on `color`: black or white, by luminance (WCAG 2.1, relative luminance).
Rgba ink_on(Rgba background);

/// Contrast of two opaque colors, 1 to 21 (WCAG 2.1, contrast ratio).
double contrast(Rgba one, Rgba other);

}  // namespace lanescope::plot
