// Amounts in rows and columns: cells with gaps where they are few and large, an image of cells where they
// are many. Tests: tests/unit/plot/cell_grid_test.cpp

#pragma once

#include "plot/sheet.h"

#include <cstdint>
#include <vector>

namespace lanescope::plot {

/// `value` is [row][column]; zero is empty, `maximum` takes the top of the scale.
void add_heat_map(Sheet& sheet, const Box& box, uint32_t rows, uint32_t columns, std::vector<uint32_t> value,
                  uint32_t maximum);

/// An area that may be picked where nothing else is drawn.
void add_hit_area(Sheet& sheet, const Box& box, size_t pick);

}  // namespace lanescope::plot
