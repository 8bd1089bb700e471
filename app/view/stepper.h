// The bar at the bottom: stepping through the accesses of a warp, choosing block and warp, and the timeline
// of the warp. Playing posts one step after the other. Test: tests/gui/stepping_test.cpp

#pragma once

#include "view/context.h"

#include <optional>
#include <string_view>

namespace lanescope::view {

/// Height that the bar needs, in pixels.
float stepper_height(const Theme& theme);

/// "3, 1" or "35" as a block of `grid`; nothing if it is none.
std::optional<CtaId> parse_block(std::string_view text, Dim3 grid);

}  // namespace lanescope::view
