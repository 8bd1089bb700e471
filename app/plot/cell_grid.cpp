#include "plot/cell_grid.h"

#include <algorithm>
#include <cmath>

namespace lanescope::plot {

Box CellGrid::cell(uint32_t row, uint32_t column) const {
  return {box.x + static_cast<float>(column) * column_width() + gap / 2,
          box.y + static_cast<float>(row) * row_height() + gap / 2, column_width() - gap, row_height() - gap};
}

CellGrid grid_in(const Box& box, uint32_t rows, uint32_t columns) {
  CellGrid grid{.box = box, .rows = std::max(rows, 1u), .columns = std::max(columns, 1u)};
  const float side = std::min(grid.column_width(), grid.row_height());
  grid.gap = side < 3 ? 0 : std::min(2.0f, side / 8);
  return grid;
}

float corner_of(const Box& cell) { return std::min({3.0f, cell.width / 4, cell.height / 4}); }

void add_cell(Sheet& sheet, const Box& cell, Color fill, size_t pick) {
  sheet.add(Rect{.x = cell.x,
                 .y = cell.y,
                 .width = cell.width,
                 .height = cell.height,
                 .radius = corner_of(cell),
                 .fill = fill,
                 .pick = pick});
}

void add_lanes(Sheet& sheet, const Box& cell, LaneMask lanes, size_t pick) {
  const int count = lanes.count();
  const int stripes = std::clamp(static_cast<int>(cell.width / 1.5f), 1, std::max(count, 1));
  int n = 0;
  int drawn = 0;
  for_each_lane(lanes, [&](int lane) {
    // Stripe s shows lane s * count / stripes of those that share the cell.
    if (n++ != drawn * count / stripes || drawn == stripes) return;
    // Each stripe goes to the cell's end and the next covers it: no seam can shine through.
    const float x = cell.x + cell.width * static_cast<float>(drawn) / static_cast<float>(stripes);
    sheet.add(Rect{.x = x,
                   .y = cell.y,
                   .width = cell.right() - x,
                   .height = cell.height,
                   .radius = stripes == 1 ? corner_of(cell) : 0,
                   .fill = Color::of_lane(lane),
                   .pick = pick});
    ++drawn;
  });
}

}  // namespace lanescope::plot
