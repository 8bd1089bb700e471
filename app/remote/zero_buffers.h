// Zeros for the buffers of a kernel whose contents do not matter, as when it is timed. Method: one vector per
// size, reused between launches, since filling gigabytes takes longer than the kernel.
// Tests: tests/unit/remote/connection_test.cpp

#pragma once

#include "launch/launch.h"

#include <cstdint>
#include <map>

namespace lanescope::remote {

class ZeroBuffers {
 public:
  /// Error (Limit): the buffer is larger than --arg allows.
  Result<launch::Contents> contents_of(const launch::Buffer& buffer);

 private:
  std::map<uint64_t, launch::Contents> by_size_;
  uint64_t bytes_ = 0;  // of all
};

}  // namespace lanescope::remote
