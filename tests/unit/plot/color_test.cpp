#include "plot/color.h"

#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

namespace lanescope::plot {
namespace {

constexpr Theme kThemes[] = {Theme::Light, Theme::Dark};

/// CIE 1976 lightness, 0 to 100, from the contrast with black: (L + 0.05) / 0.05.
double lightness(Rgba color) {
  const double luminance = contrast(color, {0, 0, 0, 255}) * 0.05 - 0.05;
  return luminance > 0.008856 ? 116 * std::cbrt(luminance) - 16 : 903.3 * luminance;
}

/// `over` seen through its alpha on an opaque `under`.
Rgba blend(Rgba over, Rgba under) {
  const auto mix = [share = over.alpha / 255.0](uint8_t from, uint8_t to) {
    return static_cast<uint8_t>(std::lround(from + (to - from) * share));
  };
  return {mix(under.red, over.red), mix(under.green, over.green), mix(under.blue, over.blue), 255};
}

TEST(Color, black_and_white_have_the_contrast_of_wcag) {
  EXPECT_NEAR(contrast({0, 0, 0, 255}, {255, 255, 255, 255}), 21.0, 1e-9);
  EXPECT_NEAR(contrast({0x76, 0x76, 0x76, 255}, {255, 255, 255, 255}), 4.54, 0.005);  // the well-known gray
}

TEST(Color, text_can_be_read_on_every_surface_that_carries_it) {
  const Role texts[] = {Role::Ink,           Role::Dim,         Role::Accent,       Role::Good,
                        Role::Bad,           Role::Emulated,    Role::Measured,     Role::Recorded,
                        Role::Modelled,      Role::SyntaxType,  Role::SyntaxNumber, Role::SyntaxComment,
                        Role::SyntaxKeyword, Role::SyntaxString};
  const Role surfaces[] = {Role::Background, Role::Surface, Role::Sunken, Role::AccentSoft};
  for (const Theme theme : kThemes) {
    for (const Role text : texts) {
      for (const Role surface : surfaces) {
        EXPECT_GE(contrast(resolve(Color::of(text), theme), resolve(Color::of(surface), theme)), 4.5)
            << "theme " << static_cast<int>(theme) << ", role " << static_cast<int>(text) << " on "
            << static_cast<int>(surface);
      }
    }
    EXPECT_GE(contrast(resolve(Color::of(Role::OnAccent), theme), resolve(Color::of(Role::Accent), theme)),
              4.5);
  }
}

TEST(Color, ink_on_any_amount_or_kind_can_be_read) {
  for (const Theme theme : kThemes) {
    for (int step = 0; step <= 100; ++step) {
      const Color cell = Color::of_amount(static_cast<float>(step) / 100);
      EXPECT_GE(contrast(resolve(Color::on(cell), theme), resolve(cell, theme)), 4.5) << step;
    }
    for (uint32_t kind = 0; kind < 8; ++kind) {
      const Color cell = Color::of_kind(kind);
      EXPECT_GE(contrast(resolve(Color::on(cell), theme), resolve(cell, theme)), 4.5) << kind;
    }
  }
}

TEST(Color, ink_can_be_read_on_faded_kinds) {
  for (const Theme theme : kThemes) {
    for (uint32_t kind = 0; kind < 8; ++kind) {
      const Rgba cell =
          blend(resolve(Color::of_kind(kind, 0.25f), theme), resolve(Color::of(Role::Surface), theme));
      EXPECT_GE(contrast(resolve(Color::of(Role::Ink), theme), cell), 4.5) << kind;
    }
  }
}

TEST(Color, lightness_of_amounts_rises_evenly) {
  for (const Theme theme : kThemes) {
    double before = lightness(resolve(Color::of_amount(0), theme));
    const double first = before;
    const double last = lightness(resolve(Color::of_amount(1), theme));
    for (int step = 1; step <= 16; ++step) {
      const double now = lightness(resolve(Color::of_amount(static_cast<float>(step) / 16), theme));
      EXPECT_GT(now - before, 0.5 * (last - first) / 16) << step;
      EXPECT_LT(now - before, 1.6 * (last - first) / 16) << step;
      before = now;
    }
  }
}

TEST(Color, amounts_stand_out_from_the_wells_they_are_drawn_in) {
  for (const Theme theme : kThemes) {
    const Rgba well = resolve(Color::of(Role::Sunken), theme);
    const Rgba least = resolve(Color::of_amount(0), theme);
    const Rgba most = resolve(Color::of_amount(1), theme);
    EXPECT_GT(contrast(theme == Theme::Light ? least : most, well), 7);
    EXPECT_GT(contrast(theme == Theme::Light ? most : least, well), 1.2);
  }
}

TEST(Color, amounts_outside_the_scale_take_its_ends) {
  const Rgba least = resolve(Color::of_amount(0), Theme::Light);
  EXPECT_EQ(resolve(Color::of_amount(-1), Theme::Light), least);
  EXPECT_EQ(resolve(Color::of_amount(NAN), Theme::Light), least);
  EXPECT_EQ(resolve(Color::of_amount(7), Theme::Light), resolve(Color::of_amount(1), Theme::Light));
}

TEST(Color, kinds_differ_from_each_other) {
  for (const Theme theme : kThemes) {
    for (uint32_t a = 0; a < 8; ++a) {
      for (uint32_t b = a + 1; b < 8; ++b) {
        EXPECT_NE(resolve(Color::of_kind(a), theme), resolve(Color::of_kind(b), theme));
      }
    }
    EXPECT_EQ(resolve(Color::of_kind(3), theme), resolve(Color::of_kind(11), theme));
  }
}

TEST(Color, opacity_becomes_alpha) {
  EXPECT_EQ(resolve(Color::of_kind(0, 0.2f), Theme::Light), (Rgba{0x00, 0x72, 0xb2, 51}));
  EXPECT_EQ(blend({255, 255, 255, 51}, {0, 0, 0, 255}), (Rgba{51, 51, 51, 255}));
}

}  // namespace
}  // namespace lanescope::plot
