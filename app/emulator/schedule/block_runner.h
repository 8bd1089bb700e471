// Runs one block: switches between all warps as one group and warp by warp, and detects that it only waits.
// Method: as long as all warps take the same way with all their lanes, they run as one group (GroupRunner).
// When they diverge, each warp executes independently (WarpScheduler), and a LaneTree holds where its lanes
// are. At the next barrier that all reach they become a group again. A block in which no lane makes progress
// returns from run(), so that another block can continue. Tests:
// tests/unit/emulator/{divergence,barrier,call,scheduling}_test.cpp

#pragma once

#include "emulator/schedule/barriers.h"
#include "emulator/schedule/batch_runner.h"
#include "emulator/schedule/block_executor.h"
#include "emulator/schedule/call_frames.h"
#include "emulator/schedule/deadlock_report.h"
#include "emulator/schedule/group_runner.h"
#include "emulator/schedule/lane_control.h"
#include "emulator/schedule/lane_tree.h"
#include "emulator/schedule/member_steps.h"
#include "emulator/schedule/scheduling.h"
#include "emulator/schedule/warp_scheduler.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::emulator {

class BlockRunner {
 public:
  enum class State : uint8_t {
    Ended,
    Stopped,  // there is a hazard(), or may_go_on said no
    Waits,    // for other blocks: what could run polls, and has for long
    Spins,    // the same, and it is certain that nothing changes unless another block does it
  };

  /// `may_go_on`: see BlockExecutor.
  BlockRunner(const Code& code, const Memory& memory, Checkers checkers, Scheduling scheduling,
              std::function<bool(uint64_t)> may_go_on);

  /// Begins the block and runs it as far as it gets. With a recorder, which lives as long as the block, its
  /// warps run one by one from the start.
  State run(CtaId cta, trace::Sink& sink, HistoryRecorder* history = nullptr);
  /// Begins the block where this batch, whose `n`-th block it is, has come to.
  State run_from(BatchRunner& batch, uint32_t n);
  /// Before run(): the block is one of a cluster, with the next rank.
  void join(Cluster& cluster) { executor_.state().join(cluster); }
  /// Continues a block that waited or spun.
  State resume();
  /// Whether anything but polling happened since run() or resume() was called.
  bool moved() const { return group_.moved() || warps_.moved(); }
  /// Reports that the block spins without an end: no other block will do what it waits for. `others` says
  /// what is known of them.
  void give_up(const std::string& others);
  /// Where each warp is, for messages; short where there are many.
  std::string describe_warps() const;

  /// What the block printed so far; at most trace::Output::kMostBytes of it.
  const std::string& output() const { return executor_.state().output; }
  CtaId cta() const { return executor_.state().cta; }
  const std::optional<trace::Hazard>& hazard() const { return executor_.state().hazard; }
  /// Null without checks.
  Checker* checker() { return executor_.state().checker; }
  const InstructionCount& instructions() const { return executor_.instructions(); }

 private:
  void begin_schedule();
  State suspended(State state);
  bool run_warps_alone();
  bool time_passes();

  BlockExecutor executor_;
  std::vector<LaneTree> lanes_;  // [warp] while the warps run one by one
  CallFrames frames_;
  Barriers barriers_;
  MemberSteps members_;
  DeadlockReport deadlock_;
  LaneControl control_;
  GroupRunner group_;
  WarpScheduler warps_;
  int time_jumps_ = 0;  // since the block last made progress
};

}  // namespace lanescope::emulator
