#include "plot/heat_map.h"

#include "plot/cell_grid.h"

#include <algorithm>
#include <utility>

namespace lanescope::plot {
namespace {

constexpr uint32_t kMostRects = 1024;
constexpr float kLeastSide = 6;

}  // namespace

void add_heat_map(Sheet& sheet, const Box& box, uint32_t rows, uint32_t columns, std::vector<uint32_t> value,
                  uint32_t maximum) {
  if (rows == 0 || columns == 0) return;
  const CellGrid grid = grid_in(box, rows, columns);
  Cells cells{.x = box.x,
              .y = box.y,
              .width = box.width,
              .height = box.height,
              .rows = rows,
              .columns = columns,
              .value = std::move(value),
              .maximum = maximum,
              .scale = Cells::Scale::Amount};
  const bool few =
      rows * columns <= kMostRects && std::min(grid.column_width(), grid.row_height()) >= kLeastSide;
  if (!few) {
    sheet.add(std::move(cells));
    return;
  }
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      const Box cell = grid.cell(row, column);
      const uint32_t amount = cells.value[size_t{row} * columns + column];
      sheet.add(Rect{.x = cell.x,
                     .y = cell.y,
                     .width = cell.width,
                     .height = cell.height,
                     .radius = corner_of(cell),
                     .fill = amount == 0 ? Color::of(Role::Sunken) : color_of(cells, amount),
                     .stroke = amount == 0 ? std::optional(Color::of(Role::Line)) : std::optional<Color>()});
    }
  }
}

void add_hit_area(Sheet& sheet, const Box& box, size_t pick) {
  sheet.add(Rect{.x = box.x, .y = box.y, .width = box.width, .height = box.height, .pick = pick});
}

}  // namespace lanescope::plot
