// What the colors of a figure mean, on one row: a scale with its two ends, or swatches with names. A legend
// that finds no room is left out. Tests: tests/unit/plot/cell_grid_test.cpp

#pragma once

#include "plot/sheet.h"

#include <string>
#include <vector>

namespace lanescope::plot {

/// The scale of amounts between the texts of its ends. `steps` is 32 for lanes, more for what is continuous.
struct ScaleLegend {
  std::string first, last;
  uint32_t steps = 64;
};
/// Drawn from `left` rightwards, or so that it ends at `right`; says whether there was room.
enum class Side { Left, Right };
bool add_scale_legend(Sheet& sheet, float left, float right, float y, const ScaleLegend& legend,
                      Side side = Side::Left);
bool add_lane_legend(Sheet& sheet, float left, float right, float y, Language language);

/// Swatches with names, next to them or, where that takes too much room, on them; as many as fit, from `left`
/// rightwards. Returns where the last one ends.
struct Swatch {
  Color color;
  std::string name;
};
float add_swatches(Sheet& sheet, float left, float right, float y, const std::vector<Swatch>& swatches);

}  // namespace lanescope::plot
