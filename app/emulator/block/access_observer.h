// Observer of a running block, or of a batch of blocks: what the instructions and the scheduler report of
// accesses and of their order, and which accesses may be made. The checks are one (checks/block_checks.h); a
// block without checks has none. Warps have their numbers in the warp group, unless a function says
// otherwise. Tests: tests/unit/emulator/access_observer_test.cpp

#pragma once

#include "base/ids.h"
#include "emulator/memory/async_copies.h"
#include "emulator/values/code.h"
#include "emulator/values/spread.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanescope::emulator {

/// One access of one warp to one state space.
struct ObservedAccess {
  const Step& step;
  ptx::Space space = ptx::Space::Global;
  uint32_t bytes = 0;  // per lane
  uint32_t block = 0;  // of the batch
  uint32_t warp = 0;   // of the block
  uint32_t mask = 0;
  const uint64_t* address = nullptr;  // [lane]
  uint32_t rank = 0;  // 1 + rank of the block of the cluster whose shared memory it is; 0: the block's own
};

/// One plain access of all warps of a warp group, whose addresses have a spread.
struct ObservedGroup {
  const Step& step;
  uint64_t first = 0;  // address of lane 0 of the first warp
  const Spread& spread;
  uint32_t bytes = 0;                // per lane
  uint32_t warps = 0;                // a multiple of the number of blocks
  const WarpLanes* masks = nullptr;  // lanes of each warp; null: all
};

class AccessObserver {
 public:
  AccessObserver() = default;
  AccessObserver(const AccessObserver&) = delete;
  AccessObserver& operator=(const AccessObserver&) = delete;
  virtual ~AccessObserver() = default;

  /// Begins a block, or the batch whose first block it is. `copies`: of the block; they are used until the
  /// next block begins.
  virtual void begin_block(CtaId first, AsyncCopies& copies) = 0;
  virtual void end_block() = 0;
  /// Suspends the block, which waits for others: what it has done so far happened before what they do next.
  virtual void suspend_block() = 0;

  // Accesses, before they are made.

  /// Returns the warps that may make their access, as a mask. Nothing is noted of the others: each is to be
  /// reported by on_access().
  virtual uint32_t on_group(const ObservedGroup& access) = 0;
  /// A plain access of all lanes of a warp with a constant stride. False, with nothing noted, if on_access()
  /// has to be called.
  virtual bool on_whole_warp(const Step& step, uint64_t base, int64_t stride, uint32_t bytes,
                             uint32_t warp) = 0;
  /// Any access. True if on_values() has to be called before the access is made.
  virtual bool on_access(const ObservedAccess& access) = 0;
  /// `values`: [n-th lane of the mask][bytes] that are about to be written; `data` + address: host address of
  /// the byte that memory holds now.
  virtual void on_values(const ObservedAccess& access, const std::byte* values, uintptr_t data) = 0;
  /// The access that on_access() was called for has been made.
  virtual void after_access(const ObservedAccess& access) = 0;

  // Warps and barriers.

  /// The lanes of a warp see each other's earlier accesses, as a `.sync` instruction has it.
  virtual void on_warp_synchronized(uint32_t warp) = 0;
  /// `lanes` of a warp execute the step together, with member masks `masks` [lane]. `existing`: lanes of the
  /// warp that are absent if a mask names them and `lanes` does not.
  virtual void on_member_masks(uint32_t step, uint32_t warp, uint32_t lanes, std::span<const uint32_t> masks,
                               uint32_t existing) = 0;
  /// `lanes` of a warp take the values of the lanes `sources`: [lane].
  virtual void on_values_taken(uint32_t step, uint32_t warp, uint32_t lanes,
                               std::span<const int> sources) = 0;
  /// All warps of a block of the batch that still run pass a barrier.
  virtual void on_barrier(uint32_t block) = 0;
  /// Some warps of the block pass a barrier.
  virtual void on_barrier_of(uint32_t barrier, std::span<const uint32_t> warps) = 0;
  /// A warp arrives at a barrier and does not wait there.
  virtual void on_arrival(uint32_t barrier, uint32_t warp) = 0;
  /// A barrier for the whole block is passed by its `running` threads. `thread`: the first of them.
  virtual void on_threads_at_barrier(uint32_t block, uint32_t step, uint32_t thread, uint64_t running) = 0;

  // Order of accesses to memory.

  /// Scope of a fence: the block, __threadfence_block(), or all threads, __threadfence().
  enum class Reach : uint8_t { Block, Everywhere };
  virtual void on_fence(uint32_t warp, Reach reach) = 0;
  /// Release and acquire of an address in `space`, as an atomic does them: by instructions such as those of
  /// mbarrier.
  virtual void on_release(ptx::Space space, uint64_t address, uint32_t warp) = 0;
  virtual void on_acquire(ptx::Space space, uint64_t address, uint32_t warp) = 0;
  /// The warp arrives at the barrier of its cluster.
  virtual void on_cluster_arrival(uint32_t warp) = 0;
  /// All threads of the cluster have arrived at its barrier. Reported by one of the blocks.
  virtual void on_cluster_complete() = 0;
  /// The block passes the barrier of its cluster.
  virtual void on_cluster_barrier() = 0;
  /// The block signals the other blocks of its cluster, which may wait for it.
  virtual void on_cluster_signal() = 0;

  // Asynchronous copies.

  /// A copy, whose accesses were reported, is under way from now on.
  virtual void on_copy_begun(AsyncCopy& copy) = 0;
  /// A copy was waited for and is no longer one of AsyncCopies.
  virtual void on_copy_ended(const AsyncCopy& copy) = 0;

  // Memory that is uninitialized again.

  /// [address, address + bytes) of the local memory of a lane.
  virtual void on_local_allocated(uint32_t warp, int lane, uint64_t address, uint64_t bytes) = 0;
  /// The device heap is full, and gives pieces again that were freed.
  virtual void on_heap_reused() = 0;
};

}  // namespace lanescope::emulator
