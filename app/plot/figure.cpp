#include "plot/figure.h"

#include <algorithm>
#include <cmath>

namespace lanescope::plot {
namespace {

/// A line is thin: this far beside it still counts as on it.
constexpr float kReach = 3;

bool covers(const Rect& rect, float x, float y) {
  return x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
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

int pick_of(const Mark& mark, float x, float y) {
  if (const auto* rect = std::get_if<Rect>(&mark)) return covers(*rect, x, y) ? rect->pick : -1;
  if (const auto* line = std::get_if<Line>(&mark)) {
    return line->pick >= 0 && covers(*line, x, y) ? line->pick : -1;
  }
  return -1;
}

}  // namespace

const Pick* pick_at(const Figure& figure, float x, float y) {
  for (auto mark = figure.marks.rbegin(); mark != figure.marks.rend(); ++mark) {
    const int pick = pick_of(*mark, x, y);
    if (pick >= 0 && static_cast<size_t>(pick) < figure.picks.size()) return &figure.picks[pick];
  }
  return nullptr;
}

}  // namespace lanescope::plot
