// What a reader chooses with: lists of the toggles that the author offers, block and warp, and the buttons
// that step. Test: tests/unit/handout/page_test.cpp

#pragma once

#include "handout/files.h"
#include "handout/side.h"

#include <string>

namespace lanescope::handout {

/// Hidden until the page's script shows it. `lesson`: null for a file, whose macros `offer` has.
std::string controls_html(const lesson::Lesson* lesson, const lesson::Settings& settings, const Offer& offer,
                          const Side& side, Language language);

}  // namespace lanescope::handout
