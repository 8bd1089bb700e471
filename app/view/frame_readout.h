// How fast the window draws, in a corner of it: for developers, and for anyone who wonders why it is slow.
// Test: tests/gui/damage_test.cpp

#pragma once

#include "view/context.h"

namespace lanescope::view {

/// Draws it over everything.
void draw_frame_readout(const Context& context, const FrameRate& rate);

}  // namespace lanescope::view
