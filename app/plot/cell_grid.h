// A grid of cells in a box, and what may be drawn into one cell. Tests: tests/unit/plot/cell_grid_test.cpp

#pragma once

#include "base/lane_mask.h"
#include "plot/sheet.h"

#include <cstdint>

namespace lanescope::plot {

/// Equal parts of the box; a cell keeps half of `gap` from the edges of its part.
struct CellGrid {
  Box box;
  uint32_t rows = 1, columns = 1;
  float gap = 0;

  float column_width() const { return box.width / static_cast<float>(columns); }  // with the gap
  float row_height() const { return box.height / static_cast<float>(rows); }
  Box cell(uint32_t row, uint32_t column) const;
};

/// A grid whose gap is an eighth of the smaller side of a cell, two points at most, and none where the cells
/// are too small to spare any.
CellGrid grid_in(const Box& box, uint32_t rows, uint32_t columns);

/// Corner radius that suits a cell.
float corner_of(const Box& cell);

/// Fills the cell, with corners that suit it.
void add_cell(Sheet& sheet, const Box& cell, Color fill, size_t pick);

/// Draws `cell` in the colors of its lanes, side by side where several share it (as many as can be
/// distinguished).
void add_lanes(Sheet& sheet, const Box& cell, LaneMask lanes, size_t pick);

}  // namespace lanescope::plot
