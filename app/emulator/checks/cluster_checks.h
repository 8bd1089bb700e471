// Checks of a block in a cluster: its accesses to the shared memory of the other blocks, their accesses to
// its shared memory, and the order of both (cluster_shadow.h). Slower than the other checks; few kernels need
// them. Tests: tests/unit/emulator/cluster_race_test.cpp

#pragma once

#include "base/dim3.h"
#include "emulator/checks/access_log.h"
#include "emulator/checks/checked_access.h"
#include "emulator/checks/cluster_shadow.h"
#include "emulator/checks/race_reporter.h"
#include "emulator/checks/shared_shadow.h"
#include "emulator/values/code.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope::emulator {

class ClusterChecks {
 public:
  ClusterChecks(const Code& code, AccessLog& log, SharedShadow& shared, RaceReporter& reporter)
      : code_(code), log_(log), shared_(shared), reporter_(reporter) {}

  /// Adds the block to the cluster. Called before begin_block(), in the order of ranks.
  void join(ClusterShadow& cluster);
  bool is_joined() const { return cluster_ != nullptr; }
  void begin_block(Dim3 position);
  void end_block();

  /// Signals the other blocks, which may wait for it: a fence, or an instruction with its effect.
  void signal();
  /// True if there was a barrier of the cluster or a signal since the last call.
  bool sees_signal();

  /// True if the access is to the shared memory of another block.
  bool is_remote(const ObservedAccess& access) const { return access.rank != 0 && access.rank - 1 != rank_; }
  /// Forgets the races of the last access. Called before each access that is checked.
  void begin_access() { pairs_.clear(); }
  /// Checks and notes an access that is_remote(). `of_all`: its stamp without a lane. `overwrites`: the old
  /// value is not used.
  void check_remote(const ObservedAccess& access, Stamp of_all, bool overwrites);
  /// Checks the block's access to its own shared memory against accesses of the other blocks.
  void check_own(const ObservedAccess& access, int lane, uint64_t granule, Stamp mine);
  /// True if another block has written to this granule of the block's shared memory.
  bool was_written(uint64_t granule) const {
    return cluster_ != nullptr && cluster_->was_written(rank_, granule);
  }
  /// True if the access has races for which compare_values() decides.
  bool has_pairs() const { return !pairs_.empty(); }
  /// Reports the races as those of equal or different values; parameters as of Checker::compare_values().
  void compare_values(const ObservedAccess& access, const WrittenValues& values, uintptr_t data);

 private:
  /// A write to a granule that an unordered write of another block has written: their values are to be
  /// compared.
  struct Pair {
    int lane = 0;
    uint64_t granule = 0;
    RaceSide there;
  };
  void visit(const ObservedAccess& access, int lane, uint64_t granule, Stamp mine, bool overwrites,
             uint32_t& unwritten);
  void note(const ObservedAccess& access, int lane, uint64_t granule, Stamp mine);
  void compare_with_owner(const ObservedAccess& access, int lane, uint64_t granule, Stamp mine);
  void compare_with_others(const ObservedAccess& access, int lane, uint64_t granule, Stamp mine,
                           uint32_t owner);
  void note_race(const ObservedAccess& access, int lane, uint64_t granule, const RaceSide& there,
                 Doing doing_there);
  uint32_t owner_of(const ObservedAccess& access) const { return access.rank - 1; }

  const Code& code_;
  AccessLog& log_;
  SharedShadow& shared_;
  RaceReporter& reporter_;
  ClusterShadow* cluster_ = nullptr;  // null: the block is not in a cluster
  uint32_t rank_ = 0;
  uint32_t seen_epoch_ = 0;  // the epoch at the last barrier or signal that the block has seen
  std::vector<Pair> pairs_;  // of the current access
};

}  // namespace lanescope::emulator
