// A kernel as the GPU gets it: PTX and the name of its entry. Tests: tests/unit/gpu/launch_buffers_test.cpp

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lanescope::gpu {

/// `name` is the file that messages name.
struct Kernel {
  std::string_view ptx;
  std::string name;
  std::string entry;
  std::optional<unsigned> most_registers = {};  // of a thread; none: as the driver's compiler finds right
};

}  // namespace lanescope::gpu
