// Numbers of the warps of a batch: neighboring blocks that a producer runs as one warp group. Test:
// tests/unit/trace/batch_order_test.cpp

#pragma once

#include <cstdint>

namespace lanescope::trace {

/// Warp 0 of all blocks comes first, then warp 1 of all, so that what only the first warps of each block do
/// is done by the first warps of the batch. Blocks count from the first of the batch.
struct BatchOrder {
  uint32_t blocks = 1;

  // Mostly there is one block, and a division takes longer than the rest.
  constexpr uint32_t block_of(uint32_t number) const { return blocks == 1 ? 0 : number % blocks; }
  /// The number of the warp in its block.
  constexpr uint32_t warp_of(uint32_t number) const { return blocks == 1 ? number : number / blocks; }
  constexpr uint32_t number_of(uint32_t block, uint32_t warp) const { return warp * blocks + block; }
  /// Number of warps of a block among the first `count` of the batch.
  constexpr uint32_t warps_among(uint32_t count, uint32_t block) const {
    return count / blocks + (block < count % blocks ? 1 : 0);
  }
};

}  // namespace lanescope::trace
