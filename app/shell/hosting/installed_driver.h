// NVIDIA's driver of this machine, for programs whose calls are passed on to it. Tests:
// tests/cli/gpu_run_test.cpp

#pragma once

#include "base/error.h"

#include <filesystem>
#include <string>

namespace lanescope::shell {

struct InstalledDriver {
  std::filesystem::path library;  // where libcuda.so.1 lies
  std::string gpu;                // the name of its first GPU
  int compute_capability = 0;     // its, times 10: 90
};

/// The driver that programs find here. Errors: Unsupported where there is none, or no GPU.
Result<InstalledDriver> find_installed_driver();

}  // namespace lanescope::shell
