// The figure of the layout lab: the tile before and after its swizzle or padding, each element in the color
// of its bank, one request with the numbers of its wavefronts, and the table of accesses. Tests:
// tests/unit/plot/layout_figure_test.cpp

#pragma once

#include "layout/report.h"
#include "plot/figures.h"

namespace lanescope::plot {

/// Numbered is the most expensive request of the first access that is possible.
Figure layout_figure(const layout::Report& report, const Frame& frame);

}  // namespace lanescope::plot
