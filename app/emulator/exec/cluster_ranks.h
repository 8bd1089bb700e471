// Splits the shared addresses of a warp's lanes by the block of the cluster that they belong to.
// Compiled once per instruction set, like lanes.h. Tests: tests/unit/emulator/cluster_test.cpp

#pragma once

#include "emulator/exec/lanes.h"
#include "emulator/memory/cluster_layout.h"

#include <bit>
#include <cstdint>
#include <utility>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// True if a shared address names a block of the cluster by its rank.
inline bool is_of_cluster(const BlockState& block, uint64_t address) {
  const uint64_t rank = address >> kRankShift;
  return block.cluster != nullptr && rank != 0 && rank <= block.cluster->blocks.size();
}

/// Calls f(part) for the lanes that go to each block's shared memory, with offsets in it. Addresses with the
/// rank of no block stay as they are, far out of bounds.
template <class Addresses, class F>
void for_each_rank(const BlockState& block, const Addresses& addresses, F&& f) {
  const Cluster& cluster = *block.cluster;
  const auto is_own = [&](uint64_t rank) {
    return rank == 0 || rank > cluster.blocks.size() ||
           cluster.blocks[static_cast<size_t>(rank - 1)] == &block;
  };
  bool has_own = false;
  for_each_lane({addresses.mask}, [&](int l) { has_own = has_own || is_own(addresses.at(l) >> kRankShift); });
  auto of_others = has_own ? trace::SharedOwner::OtherBlock : trace::SharedOwner::OtherBlocksAlone;
  for (uint32_t rest = addresses.mask; rest != 0;) {
    const uint64_t rank = addresses.at(std::countr_zero(rest)) >> kRankShift;
    const bool exists = rank <= cluster.blocks.size();
    uint32_t same = 0;
    alignas(64) uint64_t offsets[kLanes] = {};
    for_each_lane({rest}, [&](int l) {
      const uint64_t address = addresses.at(l);
      if (address >> kRankShift != rank) return;
      same |= uint32_t{1} << l;
      offsets[l] = exists ? address & kOffsetMask : address;
    });
    if (same == 0) return;  // never: the first of the rest is one of them
    rest &= ~same;
    Addresses part;
    read_addresses(offsets, 0, same, part);
    part.rank = exists ? static_cast<uint32_t>(rank) : 0;
    if (!is_own(rank)) part.owner = std::exchange(of_others, trace::SharedOwner::OtherBlock);
    f(std::as_const(part));
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
