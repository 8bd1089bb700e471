// A launch of a program as a launch of its source, for a run without the host code. Method: the driver kept
// what the launch was given as a file of launches (driver/server/launch_inputs.h), in which buffers have as
// many elements as the program gave them; rows and columns are those that the text of the source shows.
// Tests: tests/unit/session/active_program_test.cpp, tests/cli/program_test.cpp

#pragma once

#include "pipeline/launch_file.h"
#include "pipeline/listed_kernel.h"
#include "pipeline/program_run.h"

#include <filesystem>

namespace lanescope::pipeline {

/// What the launch, whose inputs were kept, is as one of a kernel of `source`. Errors: those of
/// read_launch_file().
Result<LaunchFile> launches_of_program(const std::filesystem::path& source, const ListedKernel& kernel,
                                       const ProgramLaunch& launch);

}  // namespace lanescope::pipeline
