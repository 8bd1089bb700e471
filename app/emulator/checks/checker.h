// Checks the memory accesses of one block after the other for uninitialized reads and for data races. Method:
// a stamp (stamp.h) per granule names the last write and the reads since then; the access log and its
// block_order.h give the order of accesses. 32 lanes in equal steps are checked by vectors/access_check.h,
// whole groups by vectors/group_check.h; accesses that these do not pass come here, lane by lane. The parts:
// LocalInitShadow, SharedShadow and GlobalShadow keep the stamps, GridVisits finds races between blocks,
// ClusterChecks those within a cluster, CopyChecks those with asynchronous copies, SyncChecks checks member
// masks and barriers, RaceReporter words the findings. Tests:
// tests/unit/emulator/{race,uninitialized}_test.cpp

#pragma once

#include "base/dim3.h"
#include "emulator/checks/access_log.h"
#include "emulator/checks/access_traits.h"
#include "emulator/checks/checked_access.h"
#include "emulator/checks/cluster_checks.h"
#include "emulator/checks/cluster_shadow.h"
#include "emulator/checks/copy_checks.h"
#include "emulator/checks/findings.h"
#include "emulator/checks/global_shadow.h"
#include "emulator/checks/grid_shadow.h"
#include "emulator/checks/grid_visits.h"
#include "emulator/checks/local_init_shadow.h"
#include "emulator/checks/race_reporter.h"
#include "emulator/checks/shared_shadow.h"
#include "emulator/checks/stamp.h"
#include "emulator/checks/sync_checks.h"
#include "emulator/memory/memory.h"
#include "emulator/values/code.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::emulator {

class Checker {
 public:
  /// `grid` is shared by the checkers of all workers; null for a grid of one block.
  Checker(const Code& code, const Memory& memory, const AccessTraits& traits, GridShadow* grid);
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  /// Adds the block to a cluster. Called before begin_block(), in the order of ranks.
  void join(ClusterShadow& cluster) { cluster_.join(cluster); }
  /// Begins a block. `copies`: of the block; they are used until the next block begins.
  void begin_block(CtaId block, Dim3 position, AsyncCopies& copies);
  void end_block();
  /// Forgets the numbers of spreads. Called before another Spreads numbers the spreads of warp groups.
  void change_spreads() {
    shared_.forget_spreads();
    global_.forget_spreads();
  }
  /// Suspends the block, which waits for others: what it has done so far happened before what they do next.
  void suspend_block() { visits_.suspend_block(); }

  // Events that order the accesses.
  void pass_barrier();  // of all warps
  void pass_barrier(uint32_t barrier, std::span<const uint32_t> warps) {
    shared_.give_up_sequence();
    log_.order().pass(barrier, warps, log_.next());
  }
  void arrive_at_barrier(uint32_t barrier, uint32_t warp) { log_.order().arrive(barrier, warp, log_.next()); }
  void meet_lanes(uint32_t warp) {
    shared_.give_up_sequence();
    log_.order().meet_lanes(warp, log_.next());
  }
  void fence(uint32_t warp, AccessObserver::Reach reach);
  /// Release and acquire of an address in `space`, as an atomic does them: for instructions such as those of
  /// mbarrier.
  void release(ptx::Space space, uint64_t address, uint32_t warp);
  void acquire(ptx::Space space, uint64_t address, uint32_t warp);
  void arrive_at_cluster(uint32_t warp) { visits_.publish(warp); }
  /// Orders the block after the other blocks of its cluster, if they have met or given a signal since the
  /// last call.
  void pass_cluster();
  /// Signals the other blocks of the cluster, which may wait for it.
  void signal_cluster() { cluster_.signal(); }

  /// Checks of asynchronous copies.
  CopyChecks& copies() { return copies_; }
  const CopyChecks& copies() const { return copies_; }
  /// Checks of member masks and barriers.
  SyncChecks& synchronization() { return synchronization_; }

  // For vectors/access_check.h, which checks a whole warp at once.
  bool checks_alone(const Step& step) const { return traits_[step.site] != 0 || cluster_.is_joined(); }
  /// Kind of check that an access needs. Special: the access orders other accesses, or may do so.
  enum class Care : uint8_t { Plain, Atomic, Special };
  Care care(const Step& step) const;
  Stamp number_access(const Step& step, uint32_t mask, uint32_t warp);
  int granule_shift(ptx::Space space) const {
    return space == ptx::Space::Global ? global_.granule_shift() : shared_.granule_shift();
  }
  AccessLog& log() { return log_; }
  const AccessLog& log() const { return log_; }
  LocalInitShadow& local() { return local_; }
  SharedShadow& shared() { return shared_; }
  GlobalShadow& global() { return global_; }
  const Memory& memory() const { return memory_; }
  const GlobalShadow& global() const { return global_; }

  /// Checks an access lane by lane. True if compare_values() has to be called before the access is made.
  bool check(const ObservedAccess& access);
  /// Distinguishes races of equal values from others. `values`: [n-th lane of the mask][bytes] that are about
  /// to be written; `data` + address: host address of the byte that memory holds now.
  void compare_values(const ObservedAccess& access, const std::byte* values, uintptr_t data);
  /// Orders the warp after signals that the access may have seen. Called when the access has been made.
  void finish(const ObservedAccess& access) {
    if ((traits_[access.step.site] & kAcquires) != 0) acquire(access);
  }

  Findings& findings() { return reporter_.findings(); }
  /// True if a block accessed more global memory than is checked.
  bool overflowed() const { return global_.overflowed(); }
  /// True if a finding may depend on the order of blocks.
  bool depends_on_order() const { return reporter_.depends_on_order(); }

 private:
  /// A write to a granule that an unordered write of the block has written: their values are to be compared.
  struct WritePair {
    int lane = 0;
    uint64_t granule = 0;
    Stamp other = 0;
  };

  void acquire(const ObservedAccess& access);
  void check_local(const ObservedAccess& access);
  bool stays_in_pieces(const ObservedAccess& access);
  void check_poll(const ObservedAccess& access, Stamp mine);
  bool check_lane(const ObservedAccess& access, int lane, Stamp mine);
  bool check_granule(const ObservedAccess& access, int lane, uint64_t granule, Cells cells, Stamp mine,
                     uint32_t& unwritten);
  bool conflicts(const ObservedAccess& access, Stamp mine, Stamp other) const;
  bool was_written_before(const ObservedAccess& access, uint64_t granule) const;
  void update(Cells cells, Stamp mine, Doing what);
  void renumber(uint32_t birth);

  const Code& code_;
  const Memory& memory_;
  const std::vector<uint8_t>& traits_;  // [site]
  AccessLog log_;
  LocalInitShadow local_;
  SharedShadow shared_;
  GlobalShadow global_;
  RaceReporter reporter_;
  GridVisits visits_;
  ClusterChecks cluster_;
  CopyChecks copies_;
  SyncChecks synchronization_;
  std::vector<WritePair> pairs_;  // of the current access
};

}  // namespace lanescope::emulator
