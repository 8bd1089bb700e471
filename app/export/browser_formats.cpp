// SVG, PDF and PNG without Cairo, for the browser: the other files are smaller to load without it. Tests:
// tests/unit/export/svg_marks_test.cpp, tests/page/filled_marks_test.cpp

#include "export/drawn_formats.h"
#include "export/page.h"
#include "export/pdf_marks.h"
#include "export/pixel_marks.h"
#include "export/svg.h"
#include "export/svg_marks.h"

#include <array>

namespace lanescope::exporting {
namespace {

Result<std::string> to_svg(Figures figures, const Style& style) {
  TRY(std::string svg, svg_of(compose(figures), style.theme));
  return finish_svg(std::move(svg), figures);
}

Result<std::string> to_pdf(Figures figures, const Style& style) {
  TRY(GlyphFaces faces, GlyphFaces::open(style.font_directory));
  const plot::Figure& figure = figures.front();
  const std::string title = figure.subtitle.empty() ? figure.title : figure.title + " · " + figure.subtitle;
  return pdf_of(compose(figures), {title, figure.source}, style.theme, faces);
}

Result<std::string> to_png(Figures figures, const Style& style) {
  TRY(GlyphFaces faces, GlyphFaces::open(style.font_directory));
  return png_of(compose(figures), style.theme, style.scale, faces);
}

}  // namespace

std::span<const DrawnFormat> drawn_formats() {
  static constexpr std::array<DrawnFormat, 3> kFormats{
      {{".svg", to_svg}, {".pdf", to_pdf}, {".png", to_png}}};
  return kFormats;
}

}  // namespace lanescope::exporting
