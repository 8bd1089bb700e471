// Launches that are made one after the other: each begins with what the one before left in buffers and
// variables. Method: the contents after a run are the initial contents of the next; a launch that is made
// several times has the accesses of its first time and the totals of all. Guessed sizes are made large enough
// (guessed_run.h). Tests: tests/cli/launches_test.cpp

#pragma once

#include "pipeline/execution.h"
#include "pipeline/launch_file.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace lanescope::pipeline {

/// [step] as far as they were run: a step with a hazard is the last. `before_step(job)` is called before
/// each. Errors: those of Execution::run(); Usage for a variable that no kernel of the steps has.
Result<std::vector<std::shared_ptr<const Run>>> run_steps(Execution& execution, std::span<const Step> steps,
                                                          const model::Device& device,
                                                          const RunOptions& options,
                                                          const std::function<void(const Job&)>& before_step);

}  // namespace lanescope::pipeline
