// The checks of a running block, or of a batch of blocks: passes on what the block reports to the checker of
// the block that the warp is in. Accesses are looked at by the fast checks first, 32 lanes or all warps at a
// time, unless Engine::Reference runs; those that they do not pass are examined by Checker lane by lane.
// Tests: tests/unit/emulator/{race,group_race,uninitialized}_test.cpp

#pragma once

#include "emulator/block/access_observer.h"
#include "emulator/checks/checker.h"
#include "emulator/checks/cluster_shadow.h"
#include "emulator/checks/lane_sets.h"
#include "emulator/checks/spreads_of_blocks.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lanescope::emulator {

/// The checkers of the blocks of a warp group, and what its accesses are in each block.
struct CheckedBlocks {
  const Code& code;
  std::vector<std::unique_ptr<Checker>> checkers;  // [block of the batch]
  SpreadsOfBlocks spreads;
  LaneSets lane_sets;
};

/// Checks of whole accesses, compiled for one instruction set. Either an access is in order and is noted, or
/// nothing is changed and Checker examines it.
struct FastChecks {
  /// Returns the warps whose access is in order.
  uint32_t (*check_group)(CheckedBlocks& blocks, const ObservedGroup& access);
  bool (*check_whole_warp)(Checker& checker, const Step& step, uint64_t base, int64_t stride, uint32_t bytes,
                           uint32_t warp);
  bool (*check_lanes)(Checker& checker, const ObservedAccess& access);
};

class BlockChecks final : public AccessObserver {
 public:
  /// `checkers`: [block of the batch] that `code` runs as one group.
  BlockChecks(const Code& code, const FastChecks& fast, std::vector<std::unique_ptr<Checker>> checkers);

  /// Adds the block to a cluster. Called before begin_block(), in the order of ranks.
  void join(ClusterShadow& cluster) { first().join(cluster); }
  /// Goes on with the checks of the `n`-th block of the batch, which continues alone. Called before its
  /// registers and those of the batch are given new spreads.
  void continue_block(BlockChecks& batch, uint32_t n);
  std::span<const std::unique_ptr<Checker>> checkers() const { return blocks_.checkers; }

  void begin_block(CtaId first, AsyncCopies& copies) override;
  void end_block() override;
  void suspend_block() override;

  uint32_t on_group(const ObservedGroup& access) override;
  bool on_whole_warp(const Step& step, uint64_t base, int64_t stride, uint32_t bytes, uint32_t warp) override;
  bool on_access(const ObservedAccess& access) override;
  void on_values(const ObservedAccess& access, const std::byte* values, uintptr_t data) override;
  void after_access(const ObservedAccess& access) override;

  void on_warp_synchronized(uint32_t warp) override;
  void on_member_masks(uint32_t step, uint32_t warp, uint32_t lanes, std::span<const uint32_t> masks,
                       uint32_t existing) override;
  void on_values_taken(uint32_t step, uint32_t warp, uint32_t lanes, std::span<const int> sources) override;
  void on_barrier(uint32_t block) override;
  void on_barrier_of(uint32_t barrier, std::span<const uint32_t> warps) override;
  void on_arrival(uint32_t barrier, uint32_t warp) override;
  void on_threads_at_barrier(uint32_t block, uint32_t step, uint32_t thread, uint64_t running) override;

  void on_fence(uint32_t warp, Reach reach) override;
  void on_release(ptx::Space space, uint64_t address, uint32_t warp) override;
  void on_acquire(ptx::Space space, uint64_t address, uint32_t warp) override;
  void on_cluster_arrival(uint32_t warp) override;
  void on_cluster_complete() override;
  void on_cluster_barrier() override;
  void on_cluster_signal() override;

  void on_copy_begun(AsyncCopy& copy) override;
  void on_copy_ended(const AsyncCopy& copy) override;

  void on_local_allocated(uint32_t warp, int lane, uint64_t address, uint64_t bytes) override;
  void on_heap_reused() override;

 private:
  Checker& first() { return *blocks_.checkers.front(); }
  Checker& checker_of(uint32_t warp) { return *blocks_.checkers[order_.block_of(warp)]; }

  const FastChecks& fast_;
  trace::BatchOrder order_;
  CheckedBlocks blocks_;
};

}  // namespace lanescope::emulator
