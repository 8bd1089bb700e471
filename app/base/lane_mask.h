// A set of lanes of one warp: bit l is lane l.

#pragma once

#include <bit>
#include <cstdint>

namespace lanescope {

struct LaneMask {
  uint32_t bits = 0;

  bool operator==(const LaneMask&) const = default;
  /// Without the CPU's instruction, which not every one has, std::popcount is a call.
  constexpr int count() const {
    if (bits == 0xffffffffu) return 32;                       // the commonest
    uint32_t sums = bits - (bits >> 1 & 0x55555555u);         // of 2 bits each
    sums = (sums & 0x33333333u) + (sums >> 2 & 0x33333333u);  // of 4
    sums = (sums + (sums >> 4)) & 0x0f0f0f0fu;                // of 8
    return static_cast<int>(sums * 0x01010101u >> 24);
  }
  constexpr bool any() const { return bits != 0; }
  constexpr bool test(int lane) const { return bits >> lane & 1; }
};

/// Whether all lanes between the first and the last are in it; it has one.
constexpr bool is_one_run(LaneMask mask) {
  const uint32_t run = mask.bits >> std::countr_zero(mask.bits);
  return (run & (run + 1)) == 0;
}

inline constexpr LaneMask kAllLanes{0xffffffffu};

/// Calls f(lane) for every set lane, in rising order.
template <class F>
constexpr void for_each_lane(LaneMask mask, F&& f) {
  for (uint32_t rest = mask.bits; rest != 0; rest &= rest - 1) f(std::countr_zero(rest));
}

}  // namespace lanescope
