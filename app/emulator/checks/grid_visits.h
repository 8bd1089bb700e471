// A block's part in the search for races between blocks: when its global accesses are compared with those of
// the other blocks (GridShadow), and which of these happened before. Method: a visit compares the accesses
// since the block's last visit and leaves them for the other blocks. A fence publishes what happened before
// it for its warp, so that blocks that see a signal after it count as later. Tests:
// tests/unit/emulator/grid_race_test.cpp

#pragma once

#include "base/dim3.h"
#include "base/ids.h"
#include "emulator/checks/access_log.h"
#include "emulator/checks/checked_access.h"
#include "emulator/checks/global_shadow.h"
#include "emulator/checks/grid_shadow.h"
#include "emulator/checks/race_reporter.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lanescope::emulator {

class GridVisits {
 public:
  /// `grid` is shared by all workers; null for a grid of one block. `signals`: AccessTraits::signals.
  GridVisits(const Code& code, GridShadow* grid, bool signals, AccessLog& log, GlobalShadow& global,
             RaceReporter& reporter)
      : code_(code), grid_(grid), signals_(signals), log_(log), global_(global), reporter_(reporter) {}

  void begin_block(CtaId block, Dim3 position);
  void end_block();
  /// Visits the grid before other blocks run, whose atomics read the updates of this block.
  void suspend_block() { visit(false); }

  /// Publishes what happened before a fence of this warp.
  void fence(uint32_t warp);
  /// True if the block has executed a fence.
  bool has_fenced() const { return fenced_; }
  /// Publishes what has happened before for this warp. Called for each warp that arrives at the cluster's
  /// barrier.
  void publish(uint32_t warp);
  /// Orders the block after the other blocks of its cluster, which have met.
  void pass_cluster();
  /// Notes an atomic or volatile write that other blocks may wait for; `is_fence`: the write itself is a
  /// fence.
  void signal(const CheckedAccess& access, bool is_fence);
  /// Orders the block after the signals that the read may have seen.
  void look_for_signals(const CheckedAccess& access);

  /// True if a visit of any block so far wrote to the granule.
  bool was_written(uint64_t granule) const { return grid_ != nullptr && grid_->was_written(granule); }
  /// Keeps the stamp of a plain write of this block that an atomic replaces.
  void note_replaced(uint64_t granule, Stamp written) { replaced_[granule] = written; }

 private:
  /// Accesses to a page that did not happen before the fence, so that it does not publish them.
  struct HeldBack {
    size_t page = 0;
    uint32_t written = 0, read = 0, updated = 0;  // masks
  };
  void visit(bool is_known);
  void hold_back(uint32_t warp);
  void give_back();
  bool is_unknown(Stamp stamp, uint32_t warp) const;

  const Code& code_;
  GridShadow* grid_;
  bool signals_;  // the program has atomics and the like on global memory
  AccessLog& log_;
  GlobalShadow& global_;
  RaceReporter& reporter_;
  CtaId block_;
  bool fenced_ = false;
  uint32_t after_ = 0;             // ticket: visits of other blocks that are past
  uint32_t after_in_cluster_ = 0;  // ticket: visits of the cluster's other blocks that are past
  std::vector<uint32_t> cluster_;  // [rank] numbers of the cluster's blocks
  std::vector<uint32_t> open_;     // tickets of the block that no fence has published
  std::vector<HeldBack> held_;
  std::vector<GridShadow::Conflict> conflicts_;
  std::unordered_map<uint64_t, Stamp> replaced_;  // [granule] plain writes whose stamps atomics replaced
};

}  // namespace lanescope::emulator
