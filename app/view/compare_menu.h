// The comparison in the toolbar: a button that keeps the present run as A; while two are compared, what A is,
// swapping, and ending. Its list also keeps the run and changes a setting at once. Test:
// tests/gui/comparison_test.cpp

#pragma once

#include "view/context.h"

namespace lanescope::view {

/// Pixels that it takes in the bar.
float compare_width(const Context& context);
/// Draws at the cursor.
void draw_compare(const Context& context);

/// V: keeps the present run as A, or ends the comparison; with Shift swaps both.
void post_compare_keys(const Context& context);

}  // namespace lanescope::view
