// A launch as a program asks for it: the kernel, its shape, and the bytes of its parameters. Tests:
// tests/unit/driver/driver_process_test.cpp

#pragma once

#include "base/dim3.h"
#include "driver/messages.h"
#include "driver/server/loaded_module.h"
#include "ptx/program.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lanescope::driver {

struct KernelLaunch {
  const LoadedModule& module;
  const ptx::Program& program;
  Dim3 grid, block;
  uint32_t dynamic_shared_bytes = 0;
  std::optional<Dim3> cluster;  // that the launch asks for
  std::span<const std::byte> parameters;
  bool has_inputs = true;  // the program has put data on the device
  uint32_t reached = 0;    // bit n: it has access to the memory of device n; 0: to that of all
};

Dim3 extent_of(const uint32_t (&numbers)[3]);

/// `parameters`: their bytes, which must outlive the launch.
KernelLaunch launch_of(const LanescopeLaunch& shape, const LoadedModule& module, const ptx::Program& program,
                       std::string_view parameters);

}  // namespace lanescope::driver
