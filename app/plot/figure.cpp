#include "plot/figure.h"

#include <algorithm>
#include <cmath>

namespace lanescope::plot {
namespace {

/// A line is thin: this distance still counts as on it.
constexpr float kReach = 3;

/// Gaps between small cells are narrower: they belong to a cell next to them.
constexpr float kGap = 1;

bool covers(const Rect& rect, float x, float y, float around = 0) {
  return x >= rect.x - around && x < rect.x + rect.width + around && y >= rect.y - around &&
         y < rect.y + rect.height + around;
}

bool covers(const Line& line, float x, float y) {
  const float dx = line.x2 - line.x1;
  const float dy = line.y2 - line.y1;
  const float length_squared = dx * dx + dy * dy;
  const float along = length_squared > 0
                          ? std::clamp(((x - line.x1) * dx + (y - line.y1) * dy) / length_squared, 0.0f, 1.0f)
                          : 0.0f;
  return std::hypot(x - line.x1 - along * dx, y - line.y1 - along * dy) <= std::max(kReach, line.width / 2);
}

std::optional<size_t> pick_of(const Mark& mark, float x, float y) {
  const auto* rect = std::get_if<Rect>(&mark);
  if (rect != nullptr && rect->pick && covers(*rect, x, y)) return rect->pick;
  const auto* line = std::get_if<Line>(&mark);
  if (line != nullptr && line->pick && covers(*line, x, y)) return line->pick;
  return {};
}

}  // namespace

const Pick* pick_at(const Figure& figure, float x, float y) {
  for (auto mark = figure.marks.rbegin(); mark != figure.marks.rend(); ++mark) {
    const auto pick = pick_of(*mark, x, y);
    if (pick && *pick < figure.picks.size()) return &figure.picks[*pick];
  }
  for (auto mark = figure.marks.rbegin(); mark != figure.marks.rend(); ++mark) {
    const auto* rect = std::get_if<Rect>(&*mark);
    if (rect != nullptr && rect->pick && *rect->pick < figure.picks.size() && covers(*rect, x, y, kGap))
      return &figure.picks[*rect->pick];
  }
  return nullptr;
}

}  // namespace lanescope::plot
