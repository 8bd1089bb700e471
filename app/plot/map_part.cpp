#include "plot/map_part.h"

#include <algorithm>
#include <cmath>

namespace lanescope::plot {
namespace {

constexpr double kRounding = 1e-6;  // of a cell
constexpr double kFewestCells = 4;

}  // namespace

CellRange shown_cells(double start, double zoom, uint32_t cells) {
  const double whole = cells;
  const auto count = static_cast<uint32_t>(std::clamp(std::ceil(whole / zoom - kRounding), 1.0, whole));
  const auto first = static_cast<uint32_t>(std::clamp(std::floor(start * whole + kRounding), 0.0, whole));
  return {std::min(first, cells - count), count};
}

double deepest_zoom(const ZoomArea& area) {
  return std::max(1.0, std::max(area.columns, area.rows) / kFewestCells);
}

ZoomArea zoom_area(const Box& box, uint32_t columns, uint32_t rows) {
  return {box.x, box.y, box.width, box.height, columns, rows};
}

}  // namespace lanescope::plot
