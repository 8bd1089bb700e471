// A launch of a program as a launch of its source: the kernel that a person edits, with the grid, the block
// and the contents of the buffers that the program gave it. Method: the driver kept them as a file of
// launches (driver/server/launch_inputs.h); the kernel is found in the source by its name in the PTX. Tests:
// tests/unit/session/active_program_test.cpp, tests/cli/program_test.cpp

#pragma once

#include "base/error.h"
#include "pipeline/execution.h"
#include "pipeline/program_run.h"
#include "session/opened_file.h"

#include <filesystem>

namespace lanescope::session {

/// `source` with the launch of the run whose accesses are in `launch`, and what else the run kept for its
/// other kernels. Errors: those of Execution::kernels() and read_launch_file(); Usage where the inputs of the
/// launch were not kept, or the source has no such kernel.
Result<OpenedFile> open_program_launch(const OpenedFile& source, const pipeline::ProgramRun& run,
                                       const std::filesystem::path& launch, pipeline::Execution& execution,
                                       const pipeline::Options& options);

}  // namespace lanescope::session
