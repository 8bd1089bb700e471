// An observed access as the checks look at it: what it does to a granule, and the values that it writes.
// Tests: tests/unit/emulator/{race,uninitialized}_test.cpp

#pragma once

#include "emulator/block/access_observer.h"
#include "emulator/checks/stamp.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace lanescope::emulator {

inline Doing doing_of(const ObservedAccess& access) {
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
  const ObservedAccess& access;
  const std::byte* values;  // [n-th lane of the mask][bytes]

  /// Bytes that the lane writes at `address`.
  const std::byte* at(int lane, uint64_t address) const {
    const auto rank = static_cast<size_t>(std::popcount(access.mask & ((uint32_t{1} << lane) - 1)));
    return values + rank * access.bytes + (address - access.address[lane]);
  }
};

}  // namespace lanescope::emulator
