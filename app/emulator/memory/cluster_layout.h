// Ranks of the blocks in a cluster, and the addresses of each other's shared memory. Method: an address in
// shared memory holds in its bits from 24 on which block's it is: 1 + the block's rank, or 0 for the block
// itself. Source: PTX ISA, "mapa", "Special Registers: %cluster_ctarank". Tests:
// tests/unit/emulator/cluster_test.cpp

#pragma once

#include "base/dim3.h"

#include <cstdint>

namespace lanescope::emulator {

inline constexpr uint32_t kRankShift = 24;
inline constexpr uint64_t kOffsetMask = (uint64_t{1} << kRankShift) - 1;
/// Most blocks that a cluster has on any device.
inline constexpr uint64_t kMostClusterBlocks = 16;

/// Blocks in the order of their clusters: the number in the grid of block `n`.
constexpr uint64_t block_in_cluster_order(uint64_t n, Dim3 grid, Dim3 cluster) {
  const uint64_t size = volume(cluster);
  const Dim3 clusters{grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z};
  const Dim3 first = position_of(n / size, clusters);
  const Dim3 within = position_of(n % size, cluster);
  return linear(
      {first.x * cluster.x + within.x, first.y * cluster.y + within.y, first.z * cluster.z + within.z}, grid);
}

constexpr uint64_t rank_in_cluster(Dim3 block, Dim3 cluster) {
  return linear({block.x % cluster.x, block.y % cluster.y, block.z % cluster.z}, cluster);
}

/// Position in the grid of the block with this rank in the cluster of `block`.
constexpr Dim3 position_of_rank(uint32_t rank, Dim3 block, Dim3 cluster) {
  const Dim3 within = position_of(rank, cluster);
  return {block.x - block.x % cluster.x + within.x, block.y - block.y % cluster.y + within.y,
          block.z - block.z % cluster.z + within.z};
}

}  // namespace lanescope::emulator
