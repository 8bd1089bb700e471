// Runs one block: switches between all warps as one group and warp by warp, and detects that it only waits.
// Method: as long as all warps take the same way with all their lanes, they run as one group (GroupRunner).
// When they diverge, each warp executes independently (WarpScheduler), and a LaneTree holds where its lanes
// are. At the next barrier that all reach they become a group again. A block in which no lane makes progress
// returns from run(), so that another block can continue. Tests:
// tests/unit/emulator/{divergence,barrier,call,scheduling}_test.cpp

#pragma once

#include "emulator/options.h"
#include "emulator/schedule/barriers.h"
#include "emulator/schedule/batch_runner.h"
#include "emulator/schedule/block_executor.h"
#include "emulator/schedule/call_frames.h"
#include "emulator/schedule/deadlock_report.h"
#include "emulator/schedule/group_runner.h"
#include "emulator/schedule/lane_control.h"
#include "emulator/schedule/lane_tree.h"
#include "emulator/schedule/member_steps.h"
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
    Waits,    // for other blocks: the lanes that can run have polled for long
    Spins,    // for other blocks: nothing changes unless another block changes it
  };

  /// `observer`, `may_go_on`: see BlockExecutor.
  BlockRunner(const Code& code, const Memory& memory, AccessObserver* observer, Scheduling scheduling,
              std::function<bool(uint64_t)> may_go_on);

  /// Begins the block and runs it as far as it gets. With a recorder, which lives as long as the block, its
  /// warps run one by one from the start.
  State run(CtaId cta, trace::Sink& sink, HistoryRecorder* history = nullptr);
  /// Begins the `n`-th block of the batch where the batch stopped.
  State run_from(BatchRunner& batch, uint32_t n);
  /// Adds the block to a cluster, with the next rank. To be called before run().
  void join(Cluster& cluster) { executor_.state().join(cluster); }
  /// Continues a block that waited or spun.
  State resume();
  /// True if the block did more than poll since run() or resume() was called.
  bool moved() const { return group_.moved() || warps_.moved(); }
  /// Reports that the block spins without end: no other block will do what it waits for. `others`: text about
  /// the other blocks.
  void give_up(const std::string& others);
  /// Location of each warp, for messages; shortened if there are many.
  std::string describe_warps() const;

  /// Text that the block has printed, up to the line that exceeds trace::Output::kMostBytes.
  const std::string& output() const { return executor_.state().output; }
  CtaId cta() const { return executor_.state().cta; }
  const std::optional<trace::Hazard>& hazard() const { return executor_.state().hazard; }
  const std::vector<PassedFault>& passed_over() const { return executor_.state().passed_over; }
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
