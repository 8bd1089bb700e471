// What dims a panel whose figures are old: what is chosen did not run, or is still running. Tests:
// tests/gui/output_test.cpp, tests/gui/loop_test.cpp

#pragma once

#include "view/context.h"

namespace lanescope::view {

/// Whether the panel's contents follow from the run; the others say themselves what they show.
bool is_of_run(PanelId panel);
/// Over the current window. `busy_seconds`: how long the session has been at work; negative: it is not.
void draw_veil(const Context& context, double busy_seconds);

}  // namespace lanescope::view
