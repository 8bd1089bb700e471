// What did not work, on one line over the panels; a click on a hazard goes to its place. Test:
// tests/gui/output_test.cpp

#pragma once

#include "view/context.h"
#include "view/imgui.h"

namespace lanescope::view {

/// The snapshot has an error. As high as a control.
void draw_error_banner(const Context& context, ImVec2 corner, float width);

}  // namespace lanescope::view
