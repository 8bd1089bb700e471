// SVG without Cairo, for the browser: the other files are smaller to load without it. Test:
// tests/unit/export/svg_marks_test.cpp

#include "export/drawn_formats.h"
#include "export/page.h"
#include "export/svg.h"
#include "export/svg_marks.h"

#include <array>

namespace lanescope::exporting {
namespace {

Result<std::string> to_svg(Figures figures, const Style& style) {
  TRY(std::string svg, svg_of(compose(figures), style.theme));
  return finish_svg(std::move(svg), figures);
}

}  // namespace

std::span<const DrawnFormat> drawn_formats() {
  static constexpr std::array<DrawnFormat, 1> kFormats{{{".svg", to_svg}}};
  return kFormats;
}

}  // namespace lanescope::exporting
