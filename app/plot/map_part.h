// Which cells of a map a part of it shows: whole ones, so that no number is cut.
// Tests: tests/unit/plot/map_part_test.cpp

#pragma once

#include "plot/figure.h"
#include "plot/sheet.h"

#include <cstdint>

namespace lanescope::plot {

/// Cells [first, first + count) of a row or a column.
struct CellRange {
  uint32_t first = 0, count = 0;
  uint32_t end() const { return first + count; }
  bool holds(uint64_t cell) const { return cell >= first && cell < end(); }
  bool operator==(const CellRange&) const = default;
};

/// Of `cells`, which are more than none: those of a part that begins at `start` of the whole.
CellRange shown_cells(double start, double zoom, uint32_t cells);

/// How much further the wheel may zoom into a map of that size: until four cells are left.
double deepest_zoom(const ZoomArea& area);

/// The area of a map in `box`.
ZoomArea zoom_area(const Box& box, uint32_t columns, uint32_t rows);

}  // namespace lanescope::plot
