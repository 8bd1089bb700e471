// Checks the memory accesses of one block after the other for uninitialized reads and for data races.
// Method: a stamp (stamp.h) per granule says which access wrote it last and which read it since; the access
// log and its block_order.h say what happened before what. 32 lanes in equal steps are checked by
// exec/access_check.h, whole groups by exec/group_check.h; what they do not pass comes here, lane by lane.
// The parts: LocalInitShadow, SharedShadow and GlobalShadow keep the stamps, GridVisits finds races between
// blocks, ClusterChecks those within a cluster, CopyChecks those with asynchronous copies, SyncChecks member
// masks and barriers, RaceReporter words what was found. Tests:
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
#include "emulator/code.h"
#include "emulator/memory/memory.h"

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

  /// Before begin_block(), rank by rank: the block is one of a cluster.
  void join(ClusterShadow& cluster) { cluster_.join(cluster); }
  /// `copies`: the block's, until the next begins.
  void begin_block(CtaId block, Dim3 position, AsyncCopies& copies);
  void end_block();
  /// Another Spreads will give numbers to the spreads of groups: to be called before.
  void change_spreads() {
    shared_.forget_spreads();
    global_.forget_spreads();
  }
  /// The block waits for others: what it has done so far came before what they do next.
  void suspend_block() { visits_.suspend_block(); }

  // What orders the accesses.
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
  /// How far a fence orders what its warp has done: __threadfence_block(), or __threadfence().
  enum class Reach : uint8_t { Block, Everywhere };
  void fence(uint32_t warp, Reach reach);
  /// What an atomic does to the order besides: for instructions such as those of mbarrier. `address` is one
  /// in `space`.
  void release(ptx::Space space, uint64_t address, uint32_t warp);
  void acquire(ptx::Space space, uint64_t address, uint32_t warp);
  void arrive_at_cluster(uint32_t warp) { visits_.publish(warp); }
  /// To be called when the cluster's barrier is over, or something else by which the other blocks may have
  /// given a sign.
  void pass_cluster();
  /// The block gives the others of the cluster such a sign.
  void signal_cluster() { cluster_.signal(); }

  /// What the checks know of asynchronous copies.
  CopyChecks& copies() { return copies_; }
  const CopyChecks& copies() const { return copies_; }
  /// Checks that the threads are there which synchronize.
  SyncChecks& synchronization() { return synchronization_; }

  // For access_check.h: the whole warp at once.
  bool checks_alone(const Step& step) const { return traits_[step.site] != 0 || cluster_.is_joined(); }
  /// What an access is as far as its check goes; Special orders other accesses, or may.
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

  /// Checks lane by lane. Whether compare_values() has to be called before the access is made.
  bool check(const CheckedAccess& access);
  /// Distinguishes races of equal values from others. `values`: [n-th lane of the mask][bytes] about to be
  /// written; byte `address` of lane l lies at data + address + l * lane_pitch.
  void compare_values(const CheckedAccess& access, const std::byte* values, uintptr_t data);
  /// To be called when the access has been made.
  void finish(const CheckedAccess& access);

  Findings& findings() { return reporter_.findings(); }
  /// Whether a block accessed more global memory than is checked.
  bool overflowed() const { return global_.overflowed(); }
  /// Whether a finding may depend on the order of blocks.
  bool depends_on_order() const { return reporter_.depends_on_order(); }

 private:
  /// A write on top of another one of the block, whose values are to be compared.
  struct WritePair {
    int lane = 0;
    uint64_t granule = 0;
    Stamp other = 0;
  };

  void check_local(const CheckedAccess& access);
  bool stays_in_pieces(const CheckedAccess& access);
  void check_poll(const CheckedAccess& access, Stamp mine);
  bool check_lane(const CheckedAccess& access, int lane, Stamp mine);
  bool check_granule(const CheckedAccess& access, int lane, uint64_t granule, Cells cells, Stamp mine,
                     uint32_t& unwritten);
  bool conflicts(const CheckedAccess& access, Stamp mine, Stamp other) const;
  bool was_written_before(const CheckedAccess& access, uint64_t granule) const;
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
