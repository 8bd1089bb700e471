// What a launch needs and the driver does not tell: whether the number and size of the arguments are right,
// which variables of its module a kernel may change, and whether its blocks wait for each other. Tests:
// tests/unit/gpu/timing_test.cpp

#pragma once

#include "gpu/driver.h"
#include "gpu/kernel.h"
#include "launch/launch.h"
#include "ptx/program.h"

#include <string>
#include <vector>

namespace lanescope::gpu {

/// The driver gets pointers to the arguments, not their number and sizes. Error: Launch.
Result<void> check_arguments(const ptx::Program& program, const launch::Launch& launch);

/// Cooperative for a kernel that waits for its grid: a plain launch has no workspace for that.
LaunchKind launch_kind_of(const ptx::Program& program);

struct CheckedKernel {
  std::vector<std::string> variables;  // names of the module's variables in global memory
  LaunchKind kind = LaunchKind::Plain;
};
/// Errors: Launch for arguments that are not the kernel's; those of ptx::parse and ptx::lower.
Result<CheckedKernel> check_kernel(const Kernel& kernel, const launch::Launch& launch);

}  // namespace lanescope::gpu
