#include "export/pixel_marks.h"

#include "export/png.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

using plot::Color;
using plot::Rgba;

/// A place and a size: a point p of a path is at `origin` + `scale` * p.
struct Placed {
  float scale = 1;
  Point origin;
  Point operator()(Point p) const { return {origin.x + scale * p.x, origin.y + scale * p.y}; }
};

/// The path as straight pieces in pixels; each outline ends where it began.
std::vector<std::pair<Point, Point>> edges_of(const Path& path, const Placed& placed) {
  constexpr int kPieces = 8;  // of a curve: letters and corners are small
  std::vector<std::pair<Point, Point>> edges;
  Point begin, last;
  for (const PathStep& step : path) {
    const Point end = placed(step.end);
    if (step.kind == PathStep::Kind::Move) {
      edges.emplace_back(last, begin);
      begin = end;
    } else if (step.kind == PathStep::Kind::Line) {
      edges.emplace_back(last, end);
    } else {
      const Point first = placed(step.first), second = placed(step.second), start = last;
      for (int n = 1; n <= kPieces; ++n) {
        const float t = static_cast<float>(n) / kPieces, s = 1 - t;
        const auto mix = [&](float a, float b, float c, float d) {
          return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
        };
        const Point to{mix(start.x, first.x, second.x, end.x), mix(start.y, first.y, second.y, end.y)};
        edges.emplace_back(last, to);
        last = to;
      }
    }
    last = end;
  }
  edges.emplace_back(last, begin);
  return edges;
}

/// How much of each pixel of a part of the canvas is inside, as sums along each line.
class Coverage {
 public:
  Coverage(int width, int height)
      : width_(width), area_(static_cast<size_t>(width + 2) * static_cast<size_t>(height)) {}

  /// `from` and `to` lie in the part.
  void add(Point from, Point to) {
    const float sign = from.y < to.y ? 1 : -1;
    if (from.y > to.y) std::swap(from, to);
    const float height = to.y - from.y;
    if (height <= 0) return;
    const float slope = (to.x - from.x) / height;
    float x = from.x;
    for (int row = static_cast<int>(from.y); static_cast<float>(row) < to.y; ++row) {
      const float top = std::max(static_cast<float>(row), from.y);
      const float share = std::min(static_cast<float>(row + 1), to.y) - top;
      const float next = std::clamp(x + slope * share, 0.0f, static_cast<float>(width_));
      add_to_row(row, std::min(x, next), std::max(x, next), sign * share);
      x = next;
    }
  }

  /// Of the pixels of a row, from 0 to 1.
  std::vector<float> row(int y) const {
    std::vector<float> parts(static_cast<size_t>(width_));
    float sum = 0;
    for (size_t x = 0; x < parts.size(); ++x) {
      sum += area_[start_of_row(y) + x];
      parts[x] = std::min(std::abs(sum), 1.0f);
    }
    return parts;
  }

 private:
  size_t start_of_row(int row) const { return static_cast<size_t>(row) * static_cast<size_t>(width_ + 2); }

  /// An edge that goes from `left` to `right` and through this share of the row's height: pixels right of it
  /// are inside. Each pixel that it crosses gets its part of the share.
  void add_to_row(int row, float left, float right, float share) {
    float* const line = &area_[start_of_row(row)];
    const int first = static_cast<int>(left), last = std::max(first, static_cast<int>(std::ceil(right)) - 1);
    for (int x = first; x <= last; ++x) {
      const float enters = std::max(left, static_cast<float>(x));
      const float leaves = std::min(right, static_cast<float>(x + 1));
      const float part = right > left ? share * (leaves - enters) / (right - left) : share;
      const float inside = static_cast<float>(x + 1) - (enters + leaves) / 2;  // of this pixel
      line[x] += part * inside;
      line[x + 1] += part * (1 - inside);
    }
  }

  int width_;
  std::vector<float> area_;  // [row][column]: what comes in at the pixel, from left to right
};

class Canvas {
 public:
  Canvas(int width, int height, plot::Theme theme, float scale, GlyphFaces& faces)
      : width_(width),
        height_(height),
        theme_(theme),
        scale_(scale),
        faces_(faces),
        rgba_(static_cast<size_t>(width) * static_cast<size_t>(height) * 4, 255) {}

  void operator()(const plot::Rect& rect) {
    if (rect.width <= 0 || rect.height <= 0) return;
    if (rect.fill) fill(outline(rect), {scale_, {}}, *rect.fill);
    if (!rect.stroke) return;
    const float half = rect.stroke_width / 2;
    Path ring = outline(rect, -half);
    const Path hole = outline(rect, half, true);
    if (std::min(rect.width, rect.height) > rect.stroke_width)
      ring.insert(ring.end(), hole.begin(), hole.end());
    fill(ring, {scale_, {}}, *rect.stroke);
  }

  void operator()(const plot::Line& line) {
    const float dx = line.x2 - line.x1, dy = line.y2 - line.y1, length = std::hypot(dx, dy);
    if (length <= 0) return;
    const float x = -dy / length * line.width / 2, y = dx / length * line.width / 2;
    using enum PathStep::Kind;
    fill({{Move, {line.x1 + x, line.y1 + y}},
          {Line, {line.x2 + x, line.y2 + y}},
          {Line, {line.x2 - x, line.y2 - y}},
          {Line, {line.x1 - x, line.y1 - y}}},
         {scale_, {}}, line.color);
  }

  void operator()(const plot::Label& label) {
    Point at = start_of(label, faces_);
    for (const char32_t letter : letters_of(label.text)) {
      const Glyph& glyph = faces_.glyph(label.face, letter);
      fill(glyph.path, {scale_ * label.size, {at.x * scale_, at.y * scale_}}, label.color);
      at.x += glyph.advance * label.size;
    }
  }

  void operator()(const plot::Cells& cells) {
    const auto pixel = [&](float points, int most) {
      return std::clamp(static_cast<int>(std::lround(points * scale_)), 0, most);
    };
    const int left = pixel(cells.x, width_), right = pixel(cells.x + cells.width, width_);
    const int top = pixel(cells.y, height_), bottom = pixel(cells.y + cells.height, height_);
    if (cells.rows == 0 || cells.columns == 0 || right <= left || bottom <= top) return;
    const auto columns = static_cast<uint32_t>(right - left), rows = static_cast<uint32_t>(bottom - top);
    const std::vector<uint8_t> image = pixels_of(cells, theme_, columns, rows);
    for (uint32_t row = 0; row < rows; ++row)
      std::copy_n(image.begin() + static_cast<ptrdiff_t>(size_t{row} * columns * 4), columns * size_t{4},
                  rgba_.begin() + static_cast<ptrdiff_t>(place(left, top + static_cast<int>(row))));
  }

  std::span<const uint8_t> rgba() const { return rgba_; }

 private:
  size_t place(int x, int y) const {
    return (static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x)) * 4;
  }

  void fill(const Path& path, const Placed& placed, Color color) {
    auto edges = edges_of(path, placed);
    if (path.empty()) return;
    float left = static_cast<float>(width_), top = static_cast<float>(height_), right = 0, bottom = 0;
    edges.erase(edges.begin());  // from nowhere to the first outline
    for (auto& edge : edges)
      for (Point* point : {&edge.first, &edge.second}) {
        *point = {std::clamp(point->x, 0.0f, static_cast<float>(width_)),
                  std::clamp(point->y, 0.0f, static_cast<float>(height_))};
        left = std::min(left, point->x), right = std::max(right, point->x);
        top = std::min(top, point->y), bottom = std::max(bottom, point->y);
      }
    const int x = static_cast<int>(left), y = static_cast<int>(top);
    const int columns = static_cast<int>(std::ceil(right)) - x,
              rows = static_cast<int>(std::ceil(bottom)) - y;
    if (columns <= 0 || rows <= 0) return;
    Coverage coverage(columns, rows);
    const Point origin{static_cast<float>(x), static_cast<float>(y)};
    for (const auto& [from, to] : edges)
      coverage.add({from.x - origin.x, from.y - origin.y}, {to.x - origin.x, to.y - origin.y});
    const Rgba rgba = plot::resolve(color, theme_);
    for (int row = 0; row < rows; ++row) {
      size_t at = place(x, y + row);
      for (const float part : coverage.row(row)) {
        blend(at, rgba, part * static_cast<float>(rgba.alpha) / 255);
        at += 4;
      }
    }
  }

  void blend(size_t at, Rgba rgba, float part) {
    const auto mix = [part](uint8_t& old, uint8_t color) {
      old = static_cast<uint8_t>(
          std::lround(static_cast<float>(old) * (1 - part) + static_cast<float>(color) * part));
    };
    mix(rgba_[at], rgba.red);
    mix(rgba_[at + 1], rgba.green);
    mix(rgba_[at + 2], rgba.blue);
  }

  int width_, height_;
  plot::Theme theme_;
  float scale_;
  GlyphFaces& faces_;
  std::vector<uint8_t> rgba_;  // [row][column][channel]
};

}  // namespace

std::vector<uint8_t> pixels_of(const plot::Cells& cells, plot::Theme theme, uint32_t columns, uint32_t rows) {
  std::vector<uint8_t> rgba;
  rgba.reserve(size_t{columns} * rows * 4);
  const Rgba empty = plot::resolve(Color::of(plot::Role::Sunken), theme);
  for (uint32_t y = 0; y < rows; ++y) {
    const uint64_t row = uint64_t{y} * cells.rows / rows * cells.columns;
    for (uint32_t x = 0; x < columns; ++x) {
      const uint32_t value = cells.value[static_cast<size_t>(row + uint64_t{x} * cells.columns / columns)];
      const Rgba color = value == 0 ? empty : plot::resolve(plot::color_of(cells, value), theme);
      rgba.insert(rgba.end(), {color.red, color.green, color.blue, 255});
    }
  }
  return rgba;
}

Result<std::string> png_of(const Page& page, plot::Theme theme, float scale, GlyphFaces& faces) {
  constexpr float kMostPixels = 8192;
  const float width = std::ceil(page.size.width * scale), height = std::ceil(page.size.height * scale);
  if (!(width >= 1 && height >= 1 && std::max(width, height) <= kMostPixels))
    return fail(ErrorKind::Usage,
                fmt::format("a PNG of {} x {} pixels is larger than {}: choose a smaller size", width, height,
                            kMostPixels));
  Canvas canvas(static_cast<int>(width), static_cast<int>(height), theme, scale, faces);
  canvas(plot::Rect{.width = page.size.width,
                    .height = page.size.height,
                    .fill = Color::of(plot::Role::Surface),
                    .stroke = {}});
  for (const plot::Mark& mark : page.marks) std::visit(canvas, mark);
  return png_of(canvas.rgba(), static_cast<uint32_t>(width), static_cast<uint32_t>(height));
}

}  // namespace lanescope::exporting
