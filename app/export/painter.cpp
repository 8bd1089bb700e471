#include "export/painter.h"

#include "plot/text_width.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace lanescope::exporting {
namespace {

using plot::Color;
using plot::Label;
using plot::Rgba;

void set_color(cairo_t* cairo, Color color, plot::Theme theme) {
  const Rgba rgba = plot::resolve(color, theme);
  cairo_set_source_rgba(cairo, rgba.red / 255.0, rgba.green / 255.0, rgba.blue / 255.0, rgba.alpha / 255.0);
}

void trace_outline(cairo_t* cairo, double x, double y, double width, double height, double radius) {
  radius = std::min({radius, width / 2, height / 2});
  if (radius <= 0) {
    cairo_rectangle(cairo, x, y, width, height);
    return;
  }
  constexpr double kQuarter = std::numbers::pi / 2;
  cairo_new_sub_path(cairo);
  cairo_arc(cairo, x + width - radius, y + radius, radius, -kQuarter, 0);
  cairo_arc(cairo, x + width - radius, y + height - radius, radius, 0, kQuarter);
  cairo_arc(cairo, x + radius, y + height - radius, radius, kQuarter, 2 * kQuarter);
  cairo_arc(cairo, x + radius, y + radius, radius, 2 * kQuarter, 3 * kQuarter);
  cairo_close_path(cairo);
}

class Painter {
 public:
  Painter(cairo_t* cairo, plot::Theme theme, const Faces& faces, float scale)
      : cairo_(cairo), theme_(theme), faces_(faces), scale_(scale) {}

  void operator()(const plot::Rect& rect) const {
    if (rect.width <= 0 || rect.height <= 0) return;
    if (rect.fill) {
      trace_outline(cairo_, rect.x, rect.y, rect.width, rect.height, rect.radius);
      set_color(cairo_, *rect.fill, theme_);
      cairo_fill(cairo_);
    }
    if (rect.stroke) {
      trace_outline(cairo_, rect.x, rect.y, rect.width, rect.height, rect.radius);
      set_color(cairo_, *rect.stroke, theme_);
      cairo_set_line_width(cairo_, rect.stroke_width);
      cairo_stroke(cairo_);
    }
  }

  void operator()(const plot::Line& line) const {
    cairo_move_to(cairo_, line.x1, line.y1);
    cairo_line_to(cairo_, line.x2, line.y2);
    set_color(cairo_, line.color, theme_);
    cairo_set_line_width(cairo_, line.width);
    cairo_stroke(cairo_);
  }

  void operator()(const Label& label) const {
    faces_.select(cairo_, label.face, label.size);
    cairo_text_extents_t extents;
    cairo_text_extents(cairo_, label.text.c_str(), &extents);
    const double before = label.anchor == Label::Anchor::Start    ? 0
                          : label.anchor == Label::Anchor::Middle ? extents.x_advance / 2
                                                                  : extents.x_advance;
    set_color(cairo_, label.color, theme_);
    cairo_move_to(cairo_, label.x - before, label.y + plot::kCapitalHeight / 2 * label.size);
    cairo_show_text(cairo_, label.text.c_str());
    cairo_new_path(cairo_);
  }

  void operator()(const plot::Cells& cells) const {
    const int width = pixels(cells.width);
    const int height = pixels(cells.height);
    if (cells.rows == 0 || cells.columns == 0 || width <= 0 || height <= 0) return;
    cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    if (cairo_surface_status(image) == CAIRO_STATUS_SUCCESS) {
      fill_image(image, cells, width, height);
      cairo_save(cairo_);
      cairo_translate(cairo_, cells.x, cells.y);
      cairo_scale(cairo_, cells.width / static_cast<float>(width), cells.height / static_cast<float>(height));
      cairo_set_source_surface(cairo_, image, 0, 0);
      cairo_pattern_set_filter(cairo_get_source(cairo_), CAIRO_FILTER_NEAREST);
      cairo_paint(cairo_);
      cairo_restore(cairo_);
    }
    cairo_surface_destroy(image);
  }

 private:
  int pixels(float points) const {
    constexpr float kMost = 8192;
    return static_cast<int>(std::lround(std::clamp(points * scale_, 1.0f, kMost)));
  }

  uint32_t packed(Color color) const {
    const Rgba rgba = plot::resolve(color, theme_);
    return uint32_t{rgba.red} << 16 | uint32_t{rgba.green} << 8 | rgba.blue;
  }

  /// Each pixel shows the cell under its center: cells have sharp edges in every format.
  void fill_image(cairo_surface_t* image, const plot::Cells& cells, int width, int height) const {
    cairo_surface_flush(image);
    unsigned char* data = cairo_image_surface_get_data(image);
    const int stride = cairo_image_surface_get_stride(image);
    const uint32_t empty = packed(Color::of(plot::Role::Sunken));
    for (int y = 0; y < height; ++y) {
      auto* row = reinterpret_cast<uint32_t*>(data + static_cast<ptrdiff_t>(y) * stride);
      const uint64_t cell_row = static_cast<uint64_t>(y) * cells.rows / static_cast<uint64_t>(height);
      for (int x = 0; x < width; ++x) {
        const uint64_t column = static_cast<uint64_t>(x) * cells.columns / static_cast<uint64_t>(width);
        const uint32_t value = cells.value[cell_row * cells.columns + column];
        row[x] = value == 0 ? empty : packed(plot::color_of(cells, value));
      }
    }
    cairo_surface_mark_dirty(image);
  }

  cairo_t* cairo_;
  plot::Theme theme_;
  const Faces& faces_;
  float scale_;
};

}  // namespace

void paint(cairo_t* cairo, const std::vector<plot::Mark>& marks, plot::Theme theme, const Faces& faces,
           float scale) {
  const Painter painter(cairo, theme, faces, scale);
  for (const plot::Mark& mark : marks) std::visit(painter, mark);
}

void paint_background(cairo_t* cairo, plot::Size size, plot::Theme theme) {
  set_color(cairo, Color::of(plot::Role::Surface), theme);
  cairo_rectangle(cairo, 0, 0, size.width, size.height);
  cairo_fill(cairo);
}

}  // namespace lanescope::exporting
