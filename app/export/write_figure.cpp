// Method: each format is made in memory first and then written at once, so that a failure leaves no partial
// file.

#include "base/file.h"
#include "export/export.h"
#include "export/faces.h"
#include "export/page.h"
#include "export/painter.h"
#include "export/surface.h"
#include "export/svg.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

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

using Figures = std::span<const plot::Figure>;

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

using Writer = Result<std::string> (*)(Figures, const Style&);

/// The function that makes the bytes of a file with this extension.
Result<Writer> writer_of(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (extension == ".svg") return to_svg;
  if (extension == ".pdf") return to_pdf;
  if (extension == ".png") return to_png;
  if (extension == ".csv")
    return [](Figures figures, const Style&) -> Result<std::string> { return to_csv(figures); };
  if (extension == ".json")
    return [](Figures figures, const Style&) -> Result<std::string> { return to_json(figures); };
  constexpr std::string_view kKnown = "a figure can be written as .svg, .pdf, .png, .csv or .json";
  if (extension.empty()) {
    return fail(ErrorKind::Usage, fmt::format("'{}' has no extension: {}", file.string(), kKnown));
  }
  return fail(ErrorKind::Usage,
              fmt::format("'{}' has the unknown extension '{}': {}", file.string(), extension, kKnown));
}

}  // namespace

Result<void> check_format(const std::filesystem::path& file) {
  TRY_VOID(writer_of(file));
  return {};
}

Result<void> write_figure(const plot::Figure& figure, const std::filesystem::path& file, const Style& style) {
  return write_figures({&figure, 1}, file, style);
}

Result<void> write_figures(Figures figures, const std::filesystem::path& file, const Style& style) {
  TRY(const Writer write, writer_of(file));
  std::vector<plot::Figure> named(figures.begin(), figures.end());
  for (size_t run = 0; named.size() > 1 && run < named.size(); ++run)
    named[run].title = fmt::format("{} · {}", static_cast<char>('A' + run), named[run].title);
  TRY(const std::string bytes, write(named, style));
  return write_file(file, bytes);
}

}  // namespace lanescope::exporting
