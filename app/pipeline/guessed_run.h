// Runs launches of which some things are guesses, so that a wrong guess does no harm. Method: an access
// beyond a guessed end enlarges the buffer, or dynamic shared memory, and all launches are made again; what
// is found after that is a question, where it may come from what was guessed. Tests:
// tests/unit/pipeline/guessed_run_test.cpp, tests/cli/guess_test.cpp

#pragma once

#include "pipeline/launch_file.h"
#include "pipeline/run.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace lanescope::pipeline {

using Runs = std::vector<std::shared_ptr<const Run>>;
/// Whose accesses the runs keep: those that were asked for, or all as far as there is room.
enum class Kept { AsAsked, All };
using RunAll = std::function<Result<Runs>(std::span<const Step>, Kept)>;

/// Whether a guess is part of any of the launches.
bool has_guess(std::span<const Step> steps);

/// What `run_all` makes of the steps with sizes that are large enough, as far as 1 GiB in all is. Errors:
/// those of `run_all`.
Result<Runs> run_guessed(std::span<const Step> steps, const RunAll& run_all);

/// The launches with the sizes that a run needed.
void take_sizes(LaunchFile& launches, const Runs& runs);
void take_sizes(std::span<Step> steps, const Runs& runs);

/// "`in`: 4 MiB, as line 15 needs", or an empty text where the guess was large enough.
std::string sentence_of(const std::vector<Enlarged>& enlarged);

/// The guess that is left of one where a person has changed some parts of the launch.
Guess guess_left(const LaunchText& before, const LaunchText& now);

}  // namespace lanescope::pipeline
