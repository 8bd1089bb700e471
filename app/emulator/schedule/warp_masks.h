// The lanes of all warps of a block, and the few operations on them. Method: masks of four warps at a time.
// Tests: tests/unit/emulator/{warp_masks,divergence}_test.cpp

#pragma once

#include "base/lane_mask.h"
#include "emulator/values/spread.h"

#include <cstddef>
#include <cstdint>

namespace lanescope::emulator {

/// [warp] lanes: none of warps that the block does not have.
struct WarpMasks {
  using Part [[gnu::vector_size(16)]] = uint32_t;
  static constexpr uint32_t kPerPart = sizeof(Part) / sizeof(uint32_t);

  Part part[SpreadNumbers::kMostWarps / kPerPart] = {};

  uint32_t* masks() { return reinterpret_cast<uint32_t*>(part); }
  const uint32_t* masks() const { return reinterpret_cast<const uint32_t*>(part); }
  uint32_t operator[](size_t warp) const { return masks()[warp]; }
};

/// Number of parts that hold the masks of `warps` warps.
constexpr uint32_t parts_of(uint32_t warps) {
  return (warps + WarpMasks::kPerPart - 1) / WarpMasks::kPerPart;
}
inline bool any(const WarpMasks::Part& part) { return (part[0] | part[1] | part[2] | part[3]) != 0; }

/// Number of warps and lanes in masks.
struct WarpMaskCount {
  uint64_t warps = 0;  // that have lanes
  uint64_t lanes = 0;
  uint32_t end = 0;     // after the last warp that has lanes
  uint32_t common = 0;  // lanes of each warp before the end, if all have the same; else 0
};
inline WarpMaskCount count(const WarpMasks& masks, uint32_t warps) {
  constexpr uint32_t kPerPart = WarpMasks::kPerPart;
  const auto lanes_of = [](uint32_t mask) {
    return mask == kAllLanes.bits ? uint64_t{kLanes} : static_cast<uint64_t>(LaneMask{mask}.count());
  };
  WarpMaskCount counted;
  bool are_same = true;
  const WarpMasks::Part as_first = WarpMasks::Part{} + masks[0];
  const uint64_t lanes_of_first = lanes_of(masks[0]);
  for (uint32_t n = 0; n < parts_of(warps); ++n) {
    const WarpMasks::Part part = masks.part[n];
    if (!any(part)) continue;
    if (!any(part ^ as_first)) {  // mostly
      counted.warps += kPerPart;
      counted.lanes += lanes_of_first * kPerPart;
      counted.end = (n + 1) * kPerPart;
      continue;
    }
    for (uint32_t warp = n * kPerPart; warp < (n + 1) * kPerPart; ++warp) {
      if (masks[warp] == 0) continue;
      ++counted.warps;
      counted.lanes += lanes_of(masks[warp]);
      counted.end = warp + 1;
      are_same = are_same && masks[warp] == masks[0];
    }
  }
  counted.common = are_same && counted.warps == counted.end ? masks[0] : 0;
  return counted;
}

}  // namespace lanescope::emulator
