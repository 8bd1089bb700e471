// Method: roles are one table per theme. The scale of amounts is our own: 17 points in OKLCh (Ottosson,
// "A perceptual color space for image processing", 2020) whose lightness rises evenly from violet to yellow
// while the hue falls from 312 to 100 degrees and the chroma rises from 0.125 to 0.17, less where sRGB ends;
// between the points it is linear in sRGB. The dark theme starts lighter, so that lane 0 does not sink into
// the panel.

#include "plot/color.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::plot {
namespace {

constexpr Rgba hex(uint32_t value) {
  return {static_cast<uint8_t>(value >> 16), static_cast<uint8_t>(value >> 8 & 255),
          static_cast<uint8_t>(value & 255), 255};
}

Rgba role_color(Role role, Theme theme) {
  const auto pick = [theme](uint32_t light, uint32_t dark) {
    return hex(theme == Theme::Light ? light : dark);
  };
  switch (role) {
    case Role::Background:
      return pick(0xf1f3f6, 0x10141a);
    case Role::Surface:
      return pick(0xffffff, 0x1a2029);
    case Role::Sunken:
      return pick(0xf0f2f6, 0x12171e);
    case Role::Line:
      return pick(0xd3dae2, 0x364150);
    case Role::Ink:
      return pick(0x16202c, 0xe9eef4);
    case Role::Dim:
      return pick(0x51606f, 0xa5b1bf);
    case Role::Accent:
      return pick(0x0b5fe0, 0x63a8ff);
    case Role::AccentSoft:
      return pick(0xe3edff, 0x1e2e47);
    case Role::OnAccent:
      return pick(0xffffff, 0x0a1422);
    case Role::Good:
      return pick(0x00765a, 0x3ecf9f);
    case Role::Bad:
      return pick(0xb84500, 0xff9149);
    case Role::Emulated:
      return pick(0x0067a3, 0x70bcee);
    case Role::Measured:
      return pick(0x00765a, 0x3ecf9f);
    case Role::Recorded:
      return pick(0x7a4892, 0xd2a4e4);
    case Role::Modelled:
      return pick(0x8a5300, 0xf2b95f);
    case Role::SyntaxKeyword:
      return pick(0x9a2a86, 0xe096d6);
    case Role::SyntaxType:
      return pick(0x0a667d, 0x62c8dc);
    case Role::SyntaxNumber:
      return pick(0x8a4b08, 0xf0b070);
    case Role::SyntaxComment:
      return pick(0x576675, 0x96a4b3);
    case Role::SyntaxString:
      return pick(0x2c6e32, 0x8fd694);
  }
  return pick(0x16202c, 0xe9eef4);
}

constexpr auto kLightAmounts = std::to_array<uint32_t>(
    {0x3f0d57, 0x3c206c, 0x35307d, 0x28418b, 0x095195, 0x046290, 0x07708f, 0x087d90, 0x028b91, 0x029990,
     0x08a88b, 0x1ab67e, 0x57c070, 0x80c861, 0xa7ce4f, 0xcbd23e, 0xefd62f});
constexpr auto kDarkAmounts = std::to_array<uint32_t>(
    {0x63347d, 0x5d4493, 0x5353a3, 0x4663b0, 0x3273b9, 0x0783be, 0x0991b8, 0x069eb5, 0x04abb2, 0x01b9ae,
     0x0dc6a4, 0x45d197, 0x71d988, 0x97e078, 0xbce567, 0xe0e857, 0xffea6b});

uint8_t mix(uint8_t from, uint8_t to, double share) {
  return static_cast<uint8_t>(std::lround(from + (to - from) * share));
}

Rgba amount_color(float amount, Theme theme) {
  const auto& points = theme == Theme::Light ? kLightAmounts : kDarkAmounts;
  const double clamped = amount >= 0 ? std::min(1.0, static_cast<double>(amount)) : 0.0;  // NaN becomes 0
  const double position = clamped * static_cast<double>(points.size() - 1);
  const size_t below = std::min(static_cast<size_t>(position), points.size() - 2);
  const double share = position - static_cast<double>(below);
  const Rgba from = hex(points[below]);
  const Rgba to = hex(points[below + 1]);
  return {mix(from.red, to.red, share), mix(from.green, to.green, share), mix(from.blue, to.blue, share),
          255};
}

/// Okabe and Ito's colors, blue first. Their black is a gray here, to be visible on a dark panel too.
Rgba kind_color(uint8_t kind, Theme theme) {
  constexpr auto kKinds = std::to_array<uint32_t>(
      {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00, 0xf0e442, 0x6f7780});
  constexpr uint32_t kGreyInTheDark = 0xaab2bb;
  if (kind % 8 == 7 && theme == Theme::Dark) return hex(kGreyInTheDark);
  return hex(kKinds[kind % 8]);
}

double luminance(Rgba color) {
  const auto linear = [](uint8_t channel) {
    const double value = channel / 255.0;
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

Rgba opaque(Color color, Theme theme) {
  switch (color.scale) {
    case Color::Scale::Role:
      return role_color(color.role, theme);
    case Color::Scale::Amount:
      return amount_color(color.amount, theme);
    case Color::Scale::Kind:
      return kind_color(color.kind, theme);
    case Color::Scale::Gray: {
      const auto level = static_cast<uint8_t>(std::lround(255.0f * std::clamp(color.amount, 0.0f, 1.0f)));
      return {level, level, level, 255};
    }
    case Color::Scale::OnAmount:
      return ink_on(amount_color(color.amount, theme));
    case Color::Scale::OnKind:
      return ink_on(kind_color(color.kind, theme));
  }
  return role_color(Role::Ink, theme);
}

}  // namespace

Rgba resolve(Color color, Theme theme) {
  Rgba result = opaque(color, theme);
  result.alpha = static_cast<uint8_t>(std::lround(255.0f * std::clamp(color.opacity, 0.0f, 1.0f)));
  return result;
}

Rgba ink_on(Rgba background) {
  const Rgba black{0, 0, 0, 255};
  const Rgba white{255, 255, 255, 255};
  return contrast(white, background) >= contrast(black, background) ? white : black;
}

double contrast(Rgba one, Rgba other) {
  const auto [low, high] = std::minmax({luminance(one), luminance(other)});
  return (high + 0.05) / (low + 0.05);
}

}  // namespace lanescope::plot
