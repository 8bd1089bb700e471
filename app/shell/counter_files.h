// --counters: the launches of a profile that are those of a request. Tests: tests/cli/counters_test.cpp

#pragma once

#include "export/counter_comparison.h"
#include "export/profile.h"
#include "pipeline/file_job.h"
#include "pipeline/launch_file.h"
#include "pipeline/run.h"

#include <memory>
#include <string>
#include <vector>

namespace lanescope::shell {

/// Errors: Usage for an empty name, File for a file that cannot be read, those of exporting::read_profile().
Result<exporting::Profile> read_counters(const std::string& file);

/// A comparison for each run, in order: the n-th launch of a kernel here is the n-th in the profile that has
/// its grid and block. Errors: Usage where the profile has no such kernel or shape, or fewer launches of it.
Result<std::vector<exporting::CounterComparison>> compare_with(
    const exporting::Profile& profile, const std::string& file,
    const std::vector<std::shared_ptr<const pipeline::Run>>& runs, const std::vector<pipeline::Step>& steps);

}  // namespace lanescope::shell
