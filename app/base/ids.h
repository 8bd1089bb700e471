// Distinct types for the ids of sites, blocks and warps, so that one cannot be passed for another.

#pragma once

#include <compare>
#include <cstdint>

namespace lanescope {

template <class Tag>
struct Id {
  uint32_t value = 0;
  auto operator<=>(const Id&) const = default;
};

using SiteId = Id<struct SiteTag>;  // one memory instruction of the program, in program order from 0
using CtaId = Id<struct CtaTag>;    // linear block index in the grid, x fastest: also the launch order
using WarpId = Id<struct WarpTag>;  // warp within its CTA, from 0

inline constexpr int kLanes = 32;  // lanes per warp, all devices of compute capability 1.0 to 12.x

}  // namespace lanescope
