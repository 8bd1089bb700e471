// The contents of buffers at the GPU's end: zeros, for kernels whose input does not matter and for buffers
// that are all zeros, and contents that the other end will mention again (sent_buffers.h). Method: one vector
// of zeros per size, reused between launches, since filling gigabytes takes longer than the kernel; other
// contents by the number that the other end gave them, until it says that it is done with them. Tests:
// tests/unit/remote/connection_test.cpp

#pragma once

#include "launch/launch.h"

#include <cstdint>
#include <map>
#include <span>

namespace lanescope::remote {

class ReceivedBuffers {
 public:
  /// Zeros for the buffer. Error (Limit): it is larger than --arg allows.
  Result<launch::Contents> zeros_of(const launch::Buffer& buffer);

  void keep(uint64_t number, launch::Contents contents) { kept_[number] = std::move(contents); }
  /// Error (Syntax): nothing was kept under the number.
  Result<launch::Contents> kept(uint64_t number) const;
  void forget(std::span<const uint64_t> numbers) {
    for (const uint64_t number : numbers) kept_.erase(number);
  }

 private:
  std::map<uint64_t, launch::Contents> zeros_;  // [bytes]
  uint64_t zero_bytes_ = 0;                     // of all
  std::map<uint64_t, launch::Contents> kept_;   // [number]
};

}  // namespace lanescope::remote
