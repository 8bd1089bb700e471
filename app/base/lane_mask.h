// A set of lanes of one warp: bit l is lane l.

#pragma once

#include <bit>
#include <cstdint>

namespace lanescope {

struct LaneMask {
  uint32_t bits = 0;

  bool operator==(const LaneMask&) const = default;
  constexpr int count() const { return std::popcount(bits); }
  constexpr bool any() const { return bits != 0; }
  constexpr bool test(int lane) const { return bits >> lane & 1; }
};

inline constexpr LaneMask kAllLanes{0xffffffffu};

/// Calls f(lane) for every set lane, in rising order.
template <class F>
constexpr void for_each_lane(LaneMask mask, F&& f) {
  for (uint32_t rest = mask.bits; rest != 0; rest &= rest - 1) f(std::countr_zero(rest));
}

}  // namespace lanescope
