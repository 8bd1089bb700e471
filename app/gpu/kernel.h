// A kernel as the GPU gets it: PTX and the name of its entry. Tests: tests/unit/gpu/launch_buffers_test.cpp

#pragma once

#include <string>
#include <string_view>

namespace lanescope::gpu {

/// `name` is the file that messages name.
struct Kernel {
  std::string_view ptx;
  std::string name;
  std::string entry;
};

}  // namespace lanescope::gpu
