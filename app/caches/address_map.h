// Addresses as a GPU has them, which decide the set of a cache. MODEL: buffers lie one after the other, those
// of 1 MiB and more at multiples of 2 MiB, smaller ones at multiples of 512 bytes, as a CUDA program's that
// allocates them in the order of the launch. Local memory of a resident warp follows that of the warp before.
// Tests: tests/unit/caches/address_map_test.cpp

#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <vector>

namespace lanescope::caches {

class AddressMap {
 public:
  explicit AddressMap(const std::vector<trace::BufferInfo>& buffers);

  /// Address of a global address in normal form (trace/access.h).
  uint64_t global(uint64_t address) const {
    const uint32_t buffer = trace::buffer_of(address);
    return (buffer < starts_.size() ? starts_[buffer] : kStart) + trace::offset_of(address);
  }
  /// Start of the local memory of all threads.
  uint64_t local_start() const { return end_; }

 private:
  static constexpr uint64_t kStart = 0x7f0000000000;
  std::vector<uint64_t> starts_;  // [buffer]
  uint64_t end_ = kStart;
};

}  // namespace lanescope::caches
