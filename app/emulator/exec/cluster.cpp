// Distributed shared memory and the barrier of a cluster. Only for kernels with clusters of several blocks;
// for a single block see move.cpp and ptx/lower_steps.cpp. Source: PTX ISA, "mapa", "getctarank",
// "barrier.cluster". Tests: tests/unit/emulator/cluster_test.cpp

#include "emulator/exec/executor.h"
#include "emulator/memory/cluster_layout.h"

#include <algorithm>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

/// mapa: the address with the rank of another block. A rank that is too large becomes 0xfe, which no cluster
/// has, so that the address is out of bounds.
template <class T>
struct MapRank {
  constexpr T operator()(T address, uint32_t rank) const {
    constexpr T kRanks = T{0xff} << kRankShift;
    return (address & ~kRanks) | static_cast<T>(std::min(rank, uint32_t{0xfe}) + 1) << kRankShift;
  }
};

template <class T>
void rank_of(Warps& warps, const Step& step) {
  const auto own =
      static_cast<uint32_t>(rank_in_cluster(warps.block.position, warps.block.code.program->cluster));
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    auto* to = cells<uint32_t>(warps, step.destination[0], n);
    const T* from = cells<const T>(warps, step.source[0], n);
    for_each_lane({mask}, [&](int lane) {
      const auto rank = static_cast<uint32_t>(from[lane] >> kRankShift & 0xff);
      to[lane] = rank == 0 ? own : rank - 1;
    });
  });
}

void arrive(Warps& warps, const Step& step) {
  BlockState& block = warps.block;
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    for_each_lane({mask}, [&](int lane) {
      block.cluster_phase[(warps.first + n) * kLanes + static_cast<uint32_t>(lane)] = block.cluster->phase;
      ++block.cluster->arrived;
    });
    if (block.observer) block.observer->on_cluster_arrival(warps.first + n);
  });
}

/// Begins the next phase if all threads of the cluster have arrived. Threads that have exited are not waited
/// for.
void see_who_is_there(const BlockState& of_cluster) {
  Cluster& cluster = *of_cluster.cluster;
  uint64_t living = 0;
  for (const BlockState* block : cluster.blocks) living += volume(block->code.block) - block->exited;
  if (cluster.arrived < living) return;
  ++cluster.phase;
  cluster.arrived = 0;
  if (of_cluster.observer != nullptr) of_cluster.observer->on_cluster_complete();
}

/// Sets the predicate of each thread: true if all threads of the cluster have arrived since this thread did.
void look(Warps& warps, const Step& step) {
  BlockState& block = warps.block;
  see_who_is_there(block);
  const bool whole = may_write_all(warps, step);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    uint32_t over = 0;
    for_each_lane({mask}, [&](int lane) {
      const uint32_t thread = (warps.first + n) * kLanes + static_cast<uint32_t>(lane);
      over |= uint32_t{block.cluster_phase[thread] != block.cluster->phase} << lane;
    });
    if (over != 0 && block.observer) block.observer->on_cluster_barrier();
    block.note_wait(trace::Wait::Kind::Cluster, step.index, warps.first + n, {over});
    write_predicate(*cells<uint32_t>(warps, step.destination[0], n), mask, whole, over);
  });
}

}  // namespace

Handler cluster_handler(const ptx::Program& program, const ptx::Step& step) {
  if (volume(program.cluster) == 1) return nullptr;
  const bool is_wide = ptx::size_bytes(step.type) == 8;
  switch (step.op) {
    case ptx::Op::mapa:
      return is_wide ? map<MapRank<uint64_t>, uint64_t, uint64_t, uint32_t>
                     : map<MapRank<uint32_t>, uint32_t, uint32_t, uint32_t>;
    case ptx::Op::getctarank:
      return is_wide ? rank_of<uint64_t> : rank_of<uint32_t>;
    case ptx::Op::barrier_cluster_arrive:
      return arrive;
    case ptx::Op::barrier_cluster_wait:
      return look;
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
