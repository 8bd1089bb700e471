// A and B, the two sides of a comparison. Test: tests/gui/comparison_test.cpp

#pragma once

#include "view/context.h"

namespace lanescope::view {

/// The letter of a side, on its color, with its left edge at `left_middle`. Returns where it ends.
float draw_side(const Theme& theme, ImDrawList& list, ImVec2 left_middle, session::Side side);

}  // namespace lanescope::view
