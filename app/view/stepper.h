// The bar at the bottom: stepping by access, line or instruction, playing at a speed, choosing block, warp
// and step, and the timeline of the warp. Playing posts one step after the other. Test:
// tests/gui/stepping_test.cpp

#pragma once

#include "view/figure_view.h"

namespace lanescope::view {

/// Height that the bar needs, in pixels.
float stepper_height(const Theme& theme);
/// Draws the accesses of the chosen warp with `view`, in the room that is left.
void draw_timeline(const Context& context, FigureView& view);

}  // namespace lanescope::view
