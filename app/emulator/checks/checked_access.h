// One access of one warp to one state space, as the checks see it before it is made.
// Tests: tests/unit/emulator/{race,uninitialized}_test.cpp

#pragma once

#include "emulator/checks/stamp.h"
#include "emulator/code.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace lanescope::emulator {

struct CheckedAccess {
  const Step& step;
  ptx::Space space = ptx::Space::Global;
  uint32_t bytes = 0;  // per lane
  uint32_t warp = 0;
  uint32_t mask = 0;
  const uint64_t* address = nullptr;  // [lane]
  uint32_t rank = 0;  // 1 + rank of the block of the cluster whose shared memory it is; 0: the block's own
};

inline Doing doing_of(const CheckedAccess& access) {
  const bool shared = access.space != ptx::Space::Global;
  switch (access.step.kind) {
    case trace::Kind::Load:
      return Doing::Reading;
    case trace::Kind::Store:
      return Doing::Writing;
    case trace::Kind::AsyncCopy:
      return shared ? Doing::Writing : Doing::Reading;
    default:
      return Doing::Updating;
  }
}

/// The values that an access is about to write.
struct WrittenValues {
  const CheckedAccess& access;
  const std::byte* values;  // [n-th lane of the mask][bytes]

  /// Bytes that the lane writes at `address`.
  const std::byte* at(int lane, uint64_t address) const {
    const auto rank = static_cast<size_t>(std::popcount(access.mask & ((uint32_t{1} << lane) - 1)));
    return values + rank * access.bytes + (address - access.address[lane]);
  }
};

}  // namespace lanescope::emulator
