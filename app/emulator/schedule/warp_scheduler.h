// Runs the warps of a block one by one, after they have diverged: warp scheduling and progress detection.
// Method: a leaf of lanes runs until it waits, ends, or its turn is over. At the end of some turns a watch
// begins; if two laps of the leaf are equal, it spins: it repeats them for as long as no other thread changes
// memory. A leaf that only polls for very long, with registers that change (a counter, a clock), is taken to
// wait for others too, but never to be stuck. In lockstep only the lowest leaf of a warp runs. At a barrier
// the lanes of a warp wait for those that can still come there: others, which exit without a barrier, run
// first.
// Tests: tests/unit/emulator/scheduling_test.cpp

#pragma once

#include "emulator/options.h"
#include "emulator/schedule/barriers.h"
#include "emulator/schedule/block_executor.h"
#include "emulator/schedule/deadlock_report.h"
#include "emulator/schedule/lane_control.h"
#include "emulator/schedule/lane_tree.h"
#include "emulator/schedule/member_steps.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::emulator {

class WarpScheduler {
 public:
  /// `lanes`: [warp]
  WarpScheduler(BlockExecutor& executor, std::vector<LaneTree>& lanes, Scheduling scheduling,
                LaneControl& control, Barriers& barriers, MemberSteps& members, DeadlockReport& deadlock)
      : executor_(executor),
        code_(executor.code()),
        state_(executor.state()),
        lanes_(lanes),
        scheduling_(scheduling),
        control_(control),
        barriers_(barriers),
        members_(members),
        deadlock_(deadlock) {}

  /// Runs until the block ends, is stopped, can only wait, or all its warps are at a barrier, from which they
  /// can continue as a group: Joined.
  Pause run();
  /// True if any warp made progress since clear_moved().
  bool moved() const { return moved_; }
  void clear_moved() { moved_ = false; }

 private:
  using Node = LaneTree::Node;
  using Index = LaneTree::Index;

  const ptx::Program& program() const { return *code_.program; }
  bool run_warp(uint32_t warp);
  std::optional<Index> next_leaf(const LaneTree& lanes) const;
  void run_leaf(uint32_t warp, Index leaf, int& turn);
  void end_turn(uint32_t warp, Index leaf);
  std::optional<Pause> wait();

  BlockExecutor& executor_;
  const Code& code_;
  BlockState& state_;
  std::vector<LaneTree>& lanes_;  // [warp]
  Scheduling scheduling_;
  LaneControl& control_;
  Barriers& barriers_;
  MemberSteps& members_;
  DeadlockReport& deadlock_;
  bool moved_ = false;
  bool progress_ = false;  // in this round
};

}  // namespace lanescope::emulator
