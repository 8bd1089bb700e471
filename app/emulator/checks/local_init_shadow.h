// Bytes of local memory that each thread of a block has written. No other thread accesses them, so the checks
// of local memory need nothing else. Tests: tests/unit/emulator/uninitialized_test.cpp

#pragma once

#include "emulator/checks/granules.h"
#include "emulator/values/code.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope::emulator {

class LocalInitShadow {
 public:
  explicit LocalInitShadow(const Code& code)
      : shift_(granule_shift_of(*code.program, trace::Space::Local)),
        row_(granules_in(code.program->local_bytes, shift_)),
        written_(row_ * code.warps) {}

  void begin_block() { std::ranges::fill(written_, 0u); }

  int granule_shift() const { return shift_; }
  /// True if each lane of the mask has written all granules of its [address, address + bytes).
  bool is_written(uint32_t warp, uint64_t address, uint32_t bytes, uint32_t mask) const {
    uint32_t all = mask;
    for (uint64_t at = address; at < address + bytes; at += uint64_t{1} << shift_)
      all &= written_[row_ * warp + static_cast<size_t>(at >> shift_)];
    return all == mask;
  }
  void write(uint32_t warp, uint64_t address, uint32_t bytes, uint32_t mask) {
    for (uint64_t at = address; at < address + bytes; at += uint64_t{1} << shift_)
      written_[row_ * warp + static_cast<size_t>(at >> shift_)] |= mask;
  }
  /// Makes the granules of the lane's [address, address + bytes) uninitialized again.
  void forget(uint32_t warp, int lane, uint64_t address, uint64_t bytes) {
    for (uint64_t at = address; at < address + bytes; at += uint64_t{1} << shift_)
      written_[row_ * warp + static_cast<size_t>(at >> shift_)] &= ~(uint32_t{1} << lane);
  }

 private:
  int shift_;                      // log2 of a granule's bytes
  size_t row_;                     // granules of one thread
  std::vector<uint32_t> written_;  // [warp][granule] lanes that wrote it
};

}  // namespace lanescope::emulator
