// The warp as a strip of 32 cells, lane 0 on the left: the top of the figures that show where lanes go.

#pragma once

#include "plot/cell_grid.h"

#include <string>

namespace lanescope::plot {

/// Draws the strip in `box` with lane numbers in the row around `ticks_y` and a title left of it. Lanes that
/// are not in `active` stay empty. `tips[lane]` is what hovering says; may be shorter than the warp.
void add_lane_strip(Sheet& sheet, const CellGrid& strip, LaneMask active, float ticks_y,
                    const std::vector<std::string>& tips, Language language);

}  // namespace lanescope::plot
