// Checks a submission for an exercise: runs it and the solution in every case, and compares. Method: the
// checks build on each other. What a kernel writes is compared where it made no memory error, what it costs
// is counted where its output is right, and the first failing case is the last that is run. Buffers that a
// kernel must write are filled with a pattern, so that an element that is left out differs. Tests:
// tests/unit/pipeline/exercise_check_test.cpp, tests/unit/pipeline/exercises_test.cpp

#pragma once

#include "lesson/exercise.h"
#include "pipeline/check.h"
#include "pipeline/execution.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

namespace lanescope::pipeline {

/// The submission in `file`, a CUDA source. Errors: File.
Result<Job> submission_of(const std::filesystem::path& file);

struct CheckOptions {
  std::stop_token stop = {};
  gpu::Gpu* gpu = nullptr;                // that measures; null: times are not checked
  Language language = Language::English;  // of the sentences; what compiler and hazards say is English
  /// Called after each case but the last, with how many were run; empty: not called.
  std::function<void(size_t)> on_case = nullptr;
};

/// `submission` is the text and the folders of its headers; what it defines and launches is the exercise's.
/// Errors: those of the exercise and of this machine (File, Cancelled), not of the submission.
Result<std::vector<Check>> check_submission(Execution& execution, const Options& options,
                                            const lesson::Exercise& exercise, const Job& submission,
                                            const CheckOptions& how);

}  // namespace lanescope::pipeline
