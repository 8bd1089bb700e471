// The bar at the bottom: stepping by access, line or instruction, playing at a speed, choosing block, warp
// and step, and the timeline of the warp. Playing posts one step after the other. Test:
// tests/gui/stepping_test.cpp

#pragma once

#include "view/theme.h"

namespace lanescope::view {

/// Height that the bar needs, in pixels.
float stepper_height(const Theme& theme);

}  // namespace lanescope::view
