// SVG, PDF and PNG by Cairo, for every place but the browser. Tests: tests/unit/export/write_figure_test.cpp

#include "export/drawn_formats.h"
#include "export/faces.h"
#include "export/page.h"
#include "export/painter.h"
#include "export/surface.h"
#include "export/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

std::unexpected<Error> refused(cairo_status_t status, const plot::Figure& figure) {
  return fail(ErrorKind::Internal,
              fmt::format("figure '{}' cannot be drawn: {}", figure.name, cairo_status_to_string(status)));
}

/// Draws the page on `surface` and finishes it.
Result<void> draw(const Surface& surface, const Page& page, const plot::Figure& figure, const Style& style,
                  double scale, float image_scale) {
  const CairoContext cairo = context_of(surface, scale);
  paint_background(cairo.get(), page.size, style.theme);
  paint(cairo.get(), page.marks, style.theme, Faces(style.font_directory), image_scale);
  cairo_show_page(cairo.get());
  if (const cairo_status_t status = cairo_status(cairo.get()); status != CAIRO_STATUS_SUCCESS) {
    return refused(status, figure);
  }
  return {};
}

/// Images inside SVG and PDF get this many pixels per point.
constexpr float kVectorImageScale = 3;

Result<std::string> to_svg(Figures figures, const Style& style) {
  const Page page = compose(figures);
  std::string bytes;
  Surface surface(
      cairo_svg_surface_create_for_stream(append_bytes, &bytes, page.size.width, page.size.height));
  TRY_VOID(draw(surface, page, figures.front(), style, 1, kVectorImageScale));
  cairo_surface_finish(surface.get());
  return finish_svg(std::move(bytes), figures);
}

Result<std::string> to_pdf(Figures figures, const Style& style) {
  const plot::Figure& figure = figures.front();
  const Page page = compose(figures);
  std::string bytes;
  const Surface surface = pdf_surface(bytes, page.size.width, page.size.height);
  const std::string title = figure.subtitle.empty() ? figure.title : figure.title + " · " + figure.subtitle;
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_SUBJECT, figure.source.c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Lanescope " LANESCOPE_VERSION);
  TRY_VOID(draw(surface, page, figure, style, 1, kVectorImageScale));
  cairo_surface_finish(surface.get());
  return bytes;
}

Result<std::string> to_png(Figures figures, const Style& style) {
  const plot::Figure& figure = figures.front();
  const Page page = compose(figures);
  constexpr double kMostPixels = 16384;
  const double scale = std::clamp(static_cast<double>(style.scale), 0.1, 16.0);
  const double width = std::ceil(page.size.width * scale);
  const double height = std::ceil(page.size.height * scale);
  if (std::max(width, height) > kMostPixels) {
    return fail(ErrorKind::Usage,
                fmt::format("a PNG of {} x {} pixels is larger than {}: choose a smaller scale or size",
                            width, height, kMostPixels));
  }
  Surface surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height)));
  TRY_VOID(draw(surface, page, figure, style, scale, static_cast<float>(scale)));
  std::string bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes);
  if (status != CAIRO_STATUS_SUCCESS) return refused(status, figure);
  return bytes;
}

}  // namespace

std::span<const DrawnFormat> drawn_formats() {
  static constexpr std::array<DrawnFormat, 3> kFormats{
      {{".svg", to_svg}, {".pdf", to_pdf}, {".png", to_png}}};
  return kFormats;
}

}  // namespace lanescope::exporting
