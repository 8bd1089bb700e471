// The error of the last command or run in one line above the panels; the whole of it in a tooltip. A click on
// a finding goes to its thread. Test: tests/gui/output_test.cpp

#pragma once

#include "view/context.h"

namespace lanescope::view {

/// The snapshot has an error. One control high.
void draw_error_banner(const Context& context, ImVec2 corner, float width);

}  // namespace lanescope::view
