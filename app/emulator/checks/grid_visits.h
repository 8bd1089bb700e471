// A block's part in the races between blocks: when it compares its global accesses with those of the other
// blocks (GridShadow), and which of these happened before. Method: a visit compares and leaves what the block
// has accessed since its last visit. A fence publishes what happened before it for its warp, so that blocks
// that see a signal after it count as later. Tests: tests/unit/emulator/grid_race_test.cpp

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
  /// Visits before other blocks run: their atomics may observe what this block has updated so far.
  void suspend_block() { visit(false); }

  /// A fence of this warp publishes what happened before it.
  void fence(uint32_t warp);
  /// True if the block has executed a fence.
  bool has_fenced() const { return fenced_; }
  /// Publishes what happened before a fence of this warp, or before it arrives at the cluster's barrier.
  void publish(uint32_t warp);
  /// Makes published visits of the cluster's blocks past for this one: it passed their barrier or saw a
  /// signal.
  void pass_cluster();
  /// Notes an atomic or volatile write that other blocks may wait for. `is_fence`: the write is a fence
  /// itself.
  void signal(const ObservedAccess& access, bool is_fence);
  /// Makes all published visits past for this block if the read may have seen a signal of another block.
  void look_for_signals(const ObservedAccess& access);

  /// True if a visit of any block has written to the granule, or if that is not known.
  bool was_written(uint64_t granule) const { return grid_ != nullptr && grid_->was_written(granule); }
  /// Keeps a plain write of this block that is followed by an atomic to the granule.
  void note_below_atomic(uint64_t granule, GridShadow::BelowAtomic write) {
    GridShadow::BelowAtomic& kept = below_atomics_[granule];
    kept = {write.stamp, write.is_first || (kept.is_first && kept.stamp == write.stamp)};
  }

 private:
  /// Accesses to a page that are not known to have happened before a fence.
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
  uint32_t after_in_cluster_ = 0;  // ticket: visits of the cluster's blocks that are past
  std::vector<uint32_t> cluster_;  // [rank] numbers of the cluster's blocks
  std::vector<uint32_t> open_;     // tickets of the block that no fence has ended
  std::vector<HeldBack> held_;
  std::vector<GridShadow::Conflict> conflicts_;
  std::unordered_map<uint64_t, GridShadow::BelowAtomic> below_atomics_;  // [granule]
};

}  // namespace lanescope::emulator
