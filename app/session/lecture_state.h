// The lecture that is given, its step, and the texts of the step, with the numbers of the run.
// Tests: tests/unit/session/active_lecture_test.cpp

#pragma once

#include "base/text.h"
#include "lesson/lecture.h"
#include "lesson/markdown.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::session {

/// The texts of a step in one language.
struct LectureTexts {
  using Paragraphs = std::vector<lesson::Paragraph>;
  Paragraphs say, reveal, notes;
  Paragraphs after;  // what is said in the next step, without numbers; empty in the last
  bool operator==(const LectureTexts&) const = default;
};

struct LectureState {
  std::shared_ptr<const lesson::Lecture> lecture;  // not null
  size_t step = 0;                                 // index into its steps
  uint64_t showings = 0;     // rises whenever a step is shown, also one that is shown already
  bool has_numbers = false;  // of the step's run; before, each is an ellipsis
  LectureTexts english, french;
  const LectureTexts& texts_in(Language language) const {
    return language == Language::French ? french : english;
  }
  const lesson::LectureStep& shown() const { return lecture->steps[step]; }
};

}  // namespace lanescope::session
