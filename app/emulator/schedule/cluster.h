// A cluster: blocks that run together, see each other's shared memory and meet at a barrier of their own.
// Method: one worker runs all of them in turns, so nothing here is shared between threads of the CPU; who
// waits looks again and again, and the runner sees that it only waits. An address in shared memory holds in
// its bits from 24 on which block's it is: 1 + its rank, or 0 for one's own. Source: PTX ISA, "mapa",
// "barrier.cluster"; CUDA C++ Programming Guide, "Distributed Shared Memory". Tests:
// tests/unit/emulator/cluster_test.cpp

#pragma once

#include "base/dim3.h"
#include "emulator/checks/cluster_shadow.h"

#include <cstdint>
#include <vector>

namespace lanescope::emulator {

struct BlockState;

inline constexpr uint32_t kRankShift = 24;
inline constexpr uint64_t kOffsetMask = (uint64_t{1} << kRankShift) - 1;
/// More than that no device takes.
inline constexpr uint64_t kMostClusterBlocks = 16;

struct Cluster {
  std::vector<BlockState*> blocks;  // [rank]
  uint32_t phase = 0;               // how often all have arrived
  uint64_t arrived = 0;             // threads, since then
  bool broken = false;              // one of the blocks was stopped: nobody need wait for it
  ClusterShadow shadow;             // of blocks with a checker
};

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

/// Of the block with this rank in the cluster of `block`.
constexpr Dim3 position_of_rank(uint32_t rank, Dim3 block, Dim3 cluster) {
  const Dim3 within = position_of(rank, cluster);
  return {block.x - block.x % cluster.x + within.x, block.y - block.y % cluster.y + within.y,
          block.z - block.z % cluster.z + within.z};
}

}  // namespace lanescope::emulator
