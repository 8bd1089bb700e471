// The object of an mbarrier: how many arrivals and bytes are still awaited, and which phase it is in.
// Method: 64 bits in shared memory, as on the hardware, where the layout is not documented; the state
// that arrive returns is the earlier value of the object. Source: PTX ISA, "Parallel Synchronization:
// mbarrier". Tests: tests/unit/emulator/mbarrier_test.cpp

#pragma once

#include <cstdint>

namespace lanescope::emulator {

struct Mbarrier {
  static constexpr int kCountBits = 20;
  static constexpr int kBytesBits = 21;
  static constexpr uint64_t kCountMask = (uint64_t{1} << kCountBits) - 1;
  static constexpr uint64_t kBytesMask = (uint64_t{1} << kBytesBits) - 1;

  uint32_t pending = 0;   // arrivals awaited in this phase
  uint32_t expected = 0;  // arrivals awaited in each phase from the next on
  int32_t bytes = 0;      // expected to come and not come yet; negative if they came early
  uint32_t phase = 0;     // modulo 8

  static constexpr Mbarrier decode(uint64_t bits) {
    const auto bytes = static_cast<int32_t>(bits >> 2 * kCountBits & kBytesMask);
    return {static_cast<uint32_t>(bits & kCountMask), static_cast<uint32_t>(bits >> kCountBits & kCountMask),
            bytes - (bytes >> (kBytesBits - 1) << kBytesBits),
            static_cast<uint32_t>(bits >> (2 * kCountBits + kBytesBits))};
  }
  constexpr uint64_t encode() const {
    return (pending & kCountMask) | (expected & kCountMask) << kCountBits |
           (static_cast<uint64_t>(bytes) & kBytesMask) << 2 * kCountBits |
           uint64_t{phase & 7} << (2 * kCountBits + kBytesBits);
  }

  /// Enters the next phase if nothing is awaited any more.
  constexpr void complete() {
    if (pending != 0 || bytes != 0) return;
    pending = expected;
    phase = (phase + 1) & 7;
  }
  constexpr void arrive(uint32_t count) {
    pending -= count < pending ? count : pending;
    complete();
  }
};

}  // namespace lanescope::emulator
