// A card over the panels while a run takes long: how far it is, a button that ends it; and the question
// whether a run that will take long shall be made. Test: tests/gui/long_run_test.cpp

#pragma once

#include "view/context.h"

namespace lanescope::view {

/// `busy_seconds`: how long the session has been at work; negative: it is not.
void draw_run_card(const Context& context, double busy_seconds);

}  // namespace lanescope::view
