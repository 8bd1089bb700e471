// The texts of a lesson that do not change with a toggle: its introduction, its questions with the answers
// of a run, and its exercises. Test: tests/unit/handout/page_test.cpp

#pragma once

#include "handout/lab.h"

#include <string>
#include <vector>

namespace lanescope::handout {

struct Texts {
  std::string introduction, questions, exercises;
  std::vector<std::string> notes;  // questions that are left out, and why
};

/// Of a lesson's lab. `now`: the run that the page begins with, whose numbers the introduction has. Each
/// question is asked of a run with its own settings; one whose run fails is left out. Errors: those of the
/// lesson's texts.
Result<Texts> texts_of(Lab& lab, const Side& now, Language language);

}  // namespace lanescope::handout
