// The texts of a lesson as they are for one run: the sections that its toggles show, with the numbers of the
// run. Tests: tests/unit/pipeline/lesson_prose_test.cpp

#pragma once

#include "base/text.h"
#include "lesson/markdown.h"
#include "pipeline/live_numbers.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::pipeline {

struct LessonProse {
  struct Question {
    std::string name;
    std::vector<lesson::Paragraph> text;
    std::vector<double> guesses;
    bool is_set = false;  // the run has the settings that the question is about
    // Of this run; without a value where it has other settings.
    std::optional<double> value;
    std::vector<lesson::Paragraph> answer;
  };
  std::vector<lesson::Paragraph> introduction;
  std::vector<lesson::Paragraph> kernel;  // of the chosen one
  std::vector<Question> questions;
  model::CostUnits units = model::CostUnits::Sectors;  // of the numbers
};

/// `markdown` with the words for what is counted: of "[[sector]]", "[[sectors]]", "[[wavefront]]" and
/// "[[wavefronts]]", also with a capital, sectors and wavefronts or transactions and passes.
std::string with_unit_words(std::string_view markdown, model::CostUnits units, Language language);

/// Errors: Usage, with the line of the text, for a live number that the run does not have.
Result<LessonProse> prose_of(const Told& told, Language language);

/// The same before there is a run, or where a number is missing: an ellipsis for each number, no answers.
LessonProse prose_without_run(const lesson::Lesson& lesson, const lesson::Settings& settings,
                              Language language, model::CostUnits units = model::CostUnits::Sectors);

}  // namespace lanescope::pipeline
