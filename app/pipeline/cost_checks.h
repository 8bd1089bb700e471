// What a submission with the right output costs, against what its exercise asks for: one check for each
// requirement on sectors, wavefronts and instructions. Counts are the emulator's, of the whole grid. Tests:
// tests/unit/pipeline/exercise_check_test.cpp

#pragma once

#include "lesson/exercise.h"
#include "pipeline/check.h"
#include "pipeline/run.h"

#include <string>
#include <vector>

namespace lanescope::pipeline {

/// The names of the checks that the requirements ask for, those of times at the end.
std::vector<std::string> cost_names(const lesson::Requirements& asked);

/// The checks but those of times, with sentences in `language`. Both runs are of the first case. Errors:
/// those of an expression.
Result<std::vector<Check>> cost_checks(const lesson::Exercise& exercise, const Run& submission,
                                       const Run& solution, Language language);

}  // namespace lanescope::pipeline
