#include "plot/legend.h"

#include "plot/cell_grid.h"
#include "plot/text_width.h"

#include <algorithm>

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
    sheet.add(Rect{.x = cell.x,
                   .y = cell.y,
                   .width = grid.box.right() - cell.x,
                   .height = cell.height,
                   .fill = Color::of_amount(static_cast<float>(step) / static_cast<float>(legend.steps - 1)),
                   .stroke = {}});
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

float add_swatches(Sheet& sheet, float left, float right, float y, const std::vector<Swatch>& swatches) {
  const float size = sheet.type().small;
  const float swatch = 0.9f * size;
  float end = left;
  float x = left;
  for (const Swatch& entry : swatches) {
    const float text_x = x + swatch + 0.35f * size;
    const float next = text_x + text_width(entry.name, size, Label::Face::Regular);
    if (next > right) break;
    const Label label{.x = text_x, .y = y, .text = entry.name, .size = size, .color = Color::of(Role::Dim)};
    if (!sheet.place(label)) break;
    sheet.add(Rect{.x = x,
                   .y = y - swatch / 2,
                   .width = swatch,
                   .height = swatch,
                   .radius = swatch / 5,
                   .fill = entry.color,
                   .stroke = {}});
    end = next;
    x = next + 0.9f * size;
  }
  return end;
}

}  // namespace lanescope::plot
