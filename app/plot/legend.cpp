#include "plot/legend.h"

#include "plot/cell_grid.h"
#include "plot/text_width.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace lanescope::plot {

bool add_scale_legend(Sheet& sheet, float left, float right, float y, const ScaleLegend& legend, Side side) {
  const float size = sheet.type().small;
  const float space = size * 0.5f;
  const float before = text_width(legend.first, size, Label::Face::Regular) + space;
  const float after = text_width(legend.last, size, Label::Face::Regular) + space;
  const float bar = std::min(size * 9, right - left - before - after);
  if (bar < size * 3) return false;
  const float start = side == Side::Left ? left : right - before - bar - after;
  if (!sheet.place({.x = start, .y = y, .text = legend.first, .size = size, .color = Color::of(Role::Dim)})) {
    return false;
  }
  const CellGrid grid{
      .box = {start + before, y - size * 0.35f, bar, size * 0.7f}, .rows = 1, .columns = legend.steps};
  for (uint32_t step = 0; step < legend.steps; ++step) {
    const Box cell = grid.cell(0, step);
    // Each step goes to the end and the next covers it: no seam can shine through.
    sheet.add(
        Rect{.x = cell.x,
             .y = cell.y,
             .width = grid.box.right() - cell.x,
             .height = cell.height,
             .fill = Color::of_amount(static_cast<float>(step) / static_cast<float>(legend.steps - 1))});
  }
  sheet.place({.x = start + before + bar + space,
               .y = y,
               .text = legend.last,
               .size = size,
               .color = Color::of(Role::Dim)});
  return true;
}

bool add_lane_legend(Sheet& sheet, float left, float right, float y, Language language) {
  return add_scale_legend(sheet, left, right, y,
                          {.first = fmt::format("{} 0", say(language, Text::figure_lane)),
                           .last = fmt::to_string(kLanes - 1),
                           .steps = kLanes});
}

namespace {

constexpr float kBeside = 0.9f;  // of the size: a swatch, and the gap to the next

/// Where the names are next to their swatches.
float width_beside(const std::vector<Swatch>& swatches, float size) {
  float width = 0;
  for (const Swatch& entry : swatches)
    width += (2 * kBeside + 0.35f) * size + text_width(entry.name, size, Label::Face::Regular);
  return width - kBeside * size;
}

/// Draws one, with its name next to it or on it; where it ends, or nothing if that is beyond `right`.
std::optional<float> add_swatch(Sheet& sheet, float x, float right, float y, const Swatch& entry,
                                bool beside) {
  const float size = sheet.type().small;
  const float name = text_width(entry.name, size, Label::Face::Regular);
  const float width = beside ? kBeside * size : name + 0.6f * size;
  const float text_x = beside ? x + width + 0.35f * size : x + 0.3f * size;
  const float end = beside ? text_x + name : x + width;
  if (end > right) return std::nullopt;
  const float height = (beside ? kBeside : 1.3f) * size;
  sheet.add(Rect{.x = x,
                 .y = y - height / 2,
                 .width = width,
                 .height = height,
                 .radius = size / 5,
                 .fill = entry.color});
  const Color ink = beside ? Color::of(Role::Dim) : Color::on(entry.color);
  return sheet.place({.x = text_x, .y = y, .text = entry.name, .size = size, .color = ink})
             ? std::optional(end)
             : std::nullopt;
}

}  // namespace

float add_swatches(Sheet& sheet, float left, float right, float y, const std::vector<Swatch>& swatches) {
  const float size = sheet.type().small;
  const bool beside = width_beside(swatches, size) <= right - left;
  float end = left;
  float x = left;
  for (const Swatch& entry : swatches) {
    const auto next = add_swatch(sheet, x, right, y, entry, beside);
    if (!next) break;
    end = *next;
    x = end + (beside ? kBeside : 0.25f) * size;
  }
  return end;
}

}  // namespace lanescope::plot
