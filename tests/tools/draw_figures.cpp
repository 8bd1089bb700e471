// Draws every figure of hand-made traces, at several sizes, in both themes and languages: for inspection of
// what is drawn while changing it. Not installed and not a test. Usage: draw_figures DIRECTORY [FONTS
// [NAME-PREFIX]]

#include "export/export.h"
#include "support/figure_cases.h"

#include <cstdio>
#include <filesystem>
#include <string>

#include <fmt/format.h>

namespace lanescope::tests {
namespace {

struct Setting {
  plot::Size size;
  float text;
  Language language;
  plot::Theme theme;
};

constexpr Setting kSettings[] = {
    {{440, 290}, 13, Language::English, plot::Theme::Light},
    {{560, 330}, 16, Language::French, plot::Theme::Dark},
    {{300, 180}, 11, Language::English, plot::Theme::Dark},
    {{300, 180}, 22, Language::French, plot::Theme::Light},
    {{1300, 760}, 22, Language::English, plot::Theme::Light},
    {{1100, 90}, 14, Language::French, plot::Theme::Light},
};

int draw(const std::filesystem::path& directory, const std::filesystem::path& fonts,
         std::string_view prefix) {
  for (const Setting& setting : kSettings) {
    const plot::Frame frame{setting.size, setting.language, setting.text};
    for_each_figure_case([&](std::string_view name, const FigureMaker& make) {
      if (!name.starts_with(prefix)) return;
      const plot::Figure figure = make(frame);
      const auto file = directory / fmt::format("{}-{}x{}-{}.png", name, setting.size.width,
                                                setting.size.height, setting.text);
      const auto written = exporting::write_figure(
          figure, file, {.theme = setting.theme, .scale = 1, .font_directory = fonts});
      if (!written) fmt::print(stderr, "{}\n", describe(written.error()));
    });
  }
  return 0;
}

}  // namespace
}  // namespace lanescope::tests

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: draw_figures DIRECTORY [FONTS [NAME-PREFIX]]\n");
    return 2;
  }
  return lanescope::tests::draw(arguments[1], count > 2 ? arguments[2] : "", count > 3 ? arguments[3] : "");
}
