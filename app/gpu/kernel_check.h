// Checks of a launch that the driver does not make: the number and size of the arguments, and which variables
// of its module a kernel may change. Tests: tests/unit/gpu/timing_test.cpp

#pragma once

#include "gpu/kernel.h"
#include "launch/launch.h"
#include "ptx/program.h"

#include <string>
#include <vector>

namespace lanescope::gpu {

/// The driver gets pointers to the arguments, not their number and sizes. Error: Launch.
Result<void> check_arguments(const ptx::Program& program, const launch::Launch& launch);

/// Names of the module's variables in global memory; checks the arguments first.
/// Errors: Launch; those of ptx::parse and ptx::lower.
Result<std::vector<std::string>> variables_of(const Kernel& kernel, const launch::Launch& launch);

}  // namespace lanescope::gpu
