// Launches that a kernel asked for (dynamic parallelism). Method: the functions that kernels call put each
// launch into a list in the device's heap (ptx/device_runtime.h), which is taken when the kernel has ended.
// Tests: tests/unit/driver/child_launches_test.cpp, tests/cli/child_launch_test.cpp

#pragma once

#include "base/dim3.h"
#include "base/error.h"
#include "driver/server/device_memory.h"
#include "driver/server/loaded_module.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::driver {

struct ChildLaunch {
  std::string kernel;  // name in the PTX
  Dim3 grid, block;
  uint32_t dynamic_shared_bytes = 0;
  bool is_tail = false;  // after all that the kernel and its other children launch
  uint64_t thread = 0;   // as in ptx::DeviceLaunch
  std::vector<std::byte> parameters;
};

/// Tells the kernels of a module how many bytes a launch takes. To be called when it is loaded.
void prepare_child_launches(const LoadedModule& module, const DeviceMemory& memory);

/// Launches that kernels of the module have asked for since the last call, by the numbers of the threads that
/// asked, and of one thread in its order. The list is empty afterwards. Errors: Limit if the heap had no room
/// for all of them; Launch for a list that is not as the functions of the device runtime make it, as a wild
/// pointer can leave it.
Result<std::vector<ChildLaunch>> take_child_launches(const LoadedModule& module, DeviceMemory& memory);

}  // namespace lanescope::driver
