// What a submission with the right output costs, against what its exercise asks for: one check for each
// requirement on sectors, requests, wavefronts, barriers and instructions. Counts are the emulator's, of the
// whole grid, except for barriers, which the first warp counts. Tests:
// tests/unit/pipeline/exercise_check_test.cpp

#pragma once

#include "lesson/exercise.h"
#include "pipeline/check.h"
#include "pipeline/run.h"
#include "trace/history.h"

#include <string>
#include <vector>

namespace lanescope::pipeline {

/// The names of the checks that the requirements ask for, those of times at the end.
std::vector<std::string> cost_names(const lesson::Requirements& asked);

/// Whether a check counts or names what the first warp of the first block executes.
bool needs_first_warp(const lesson::Requirements& asked);

/// The checks but those of times, with sentences in `language`. Both runs are of the first case.
/// `first_warp`: what needs_first_warp() asks for, of the submission; else null. Errors: those of an
/// expression.
Result<std::vector<Check>> cost_checks(const lesson::Exercise& exercise, const Run& submission,
                                       const Run& solution, const trace::History* first_warp,
                                       Language language);

}  // namespace lanescope::pipeline
