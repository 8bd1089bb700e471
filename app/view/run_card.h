// A card over the panels while a run takes long: how far it is, a button that ends it; and the question
// whether a run that will take long shall be made, or whether a source may run as the program that it is.
// Tests: tests/gui/long_run_test.cpp, tests/gui/whole_program_test.cpp

#pragma once

#include "session/command.h"
#include "view/context.h"

#include <vector>

namespace lanescope::view {

/// `busy_seconds`: how long the session has been at work; negative: it is not.
void draw_run_card(const Context& context, double busy_seconds);

/// Whether the card is there.
bool shows_run_card(const session::Snapshot& now, double busy_seconds);

/// What Escape does to the work and the question that the card is about, all at once; nothing where there is
/// neither.
std::vector<session::Command> refusal(const session::Snapshot& now);

}  // namespace lanescope::view
