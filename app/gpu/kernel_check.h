// What a kernel's PTX says that the driver does not: which arguments it takes, and which variables of its
// module a launch may leave changed. Tests: tests/unit/gpu/timing_test.cpp

#pragma once

#include "gpu/plain_run.h"
#include "ptx/program.h"

#include <string>
#include <vector>

namespace lanescope::gpu {

/// A GPU is told where the arguments are, not how many there are or how large. Error: Launch.
Result<void> check_arguments(const ptx::Program& program, const launch::Launch& launch);

/// Names of the module's variables in global memory, once the launch is found to be one of this kernel.
/// Errors: Launch; those of ptx::parse and ptx::lower.
Result<std::vector<std::string>> variables_of(const Kernel& kernel, const launch::Launch& launch);

}  // namespace lanescope::gpu
