// The student's file of an exercise beside the solution, both launched as the exercise's first case says.
// Method: an exercise is a lesson with one kernel, the solution; the student's file takes its place. Tests:
// tests/unit/session/solution_comparison_test.cpp

#pragma once

#include "lesson/exercise.h"
#include "session/session_choices.h"

#include <filesystem>

namespace lanescope::session {

/// The solution of an exercise, or where `submission` is not empty that file in its place. `around` has the
/// device and how kernels run.
Choices choices_of_exercise(const lesson::Exercise& exercise, const std::filesystem::path& submission,
                            const Choices& around);

/// A is the solution of the chosen exercise, B the student's file. Errors: Usage where no exercise is chosen;
/// File while the student has no file.
Result<SessionChoices> solution_and_submission(const Snapshot& snapshot);

}  // namespace lanescope::session
