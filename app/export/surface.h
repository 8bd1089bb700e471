// What Cairo draws on: surfaces and contexts that end with their owners, and the text as figures have it.
// Tests: tests/unit/export/write_figure_test.cpp

#pragma once

#include <memory>
#include <string>

#include <cairo-pdf.h>
#include <cairo.h>

namespace lanescope::exporting {

struct DestroyCairo {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* cairo) const { cairo_destroy(cairo); }
};
using Surface = std::unique_ptr<cairo_surface_t, DestroyCairo>;
using CairoContext = std::unique_ptr<cairo_t, DestroyCairo>;

/// Adds bytes to the string at `bytes`: what Cairo's streams call.
inline cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

/// A PDF of pages of this size in points, written to `bytes`, which must outlive it. Version 1.4 is the
/// newest that all versions of Cairo write alike, and the oldest readers open it.
inline Surface pdf_surface(std::string& bytes, double width, double height) {
  Surface surface(cairo_pdf_surface_create_for_stream(append_bytes, &bytes, width, height));
  cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
  return surface;
}

/// A context of the surface in points: `scale` units of the surface each. Text is drawn without hinting, so
/// that it is as wide at every scale.
inline CairoContext context_of(const Surface& surface, double scale) {
  CairoContext cairo(cairo_create(surface.get()));
  cairo_scale(cairo.get(), scale, scale);
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cairo.get(), options);
  cairo_font_options_destroy(options);
  return cairo;
}

}  // namespace lanescope::exporting
