// Runs all warps of a block, or of a batch of blocks, as one group, for as long as they take the same way
// with all their lanes: a step at a time for all of them. Tests:
// tests/unit/emulator/{divergence,barrier,call,scheduling}_test.cpp

#pragma once

#include "emulator/schedule/block_executor.h"
#include "emulator/schedule/call_frames.h"
#include "emulator/schedule/lane_tree.h"
#include "emulator/schedule/spin_detector.h"
#include "emulator/schedule/warp_masks.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::emulator {

class GroupRunner {
 public:
  GroupRunner(BlockExecutor& executor, CallFrames& frames)
      : executor_(executor), code_(executor.code()), state_(executor.state()), frames_(frames) {}

  void begin_block();
  /// Runs until the block ends, is stopped or can only wait, or until Diverged: the last step of the current
  /// basic block is still to be done, warp by warp.
  Pause run();
  /// True if a watched group made progress since clear_moved().
  bool moved() const { return moved_; }
  void clear_moved() { moved_ = false; }

  /// Splits the group into warps that run alone, with the values of all registers in their lanes.
  void part(std::vector<LaneTree>& lanes_of_warps) const;
  /// Makes a group of warps that are all at the same basic block with all their lanes.
  void join(const std::vector<LaneTree>& lanes_of_warps);

  /// Continues the `n`-th block of a batch where the batch stopped, after begin_block(). The steps before
  /// `done` have been executed. False if all threads of the block have exited.
  bool take_over(const GroupRunner& batch, uint32_t n, uint32_t done);

  /// The basic block that is next, and the first thread that still runs.
  uint32_t block() const { return block_; }
  uint32_t first_thread() const;

 private:
  const ptx::Program& program() const { return *code_.program; }
  void find_constants();
  bool go_on();
  void count_lives();
  std::optional<bool> guard_of_all(const Step& step) const;
  bool branch();
  template <class F>
  void for_each_passing(const Step& step, F&& f) const;
  void take_detour(const Detour& detour);
  const WarpMaskCount& count_of(uint32_t block, const WarpMasks& lanes);
  Warps group_of(const WarpMasks& active, bool whole) const;
  bool leave();
  bool call();
  bool pass_barrier();
  void report_barrier(uint32_t n) const;
  std::optional<Pause> watch(bool checks, bool polls);

  BlockExecutor& executor_;
  const Code& code_;
  BlockState& state_;
  CallFrames& frames_;
  uint32_t block_ = 0;
  uint32_t done_ = 0;                // steps of that block before this one were executed by a batch
  std::vector<uint32_t> returns_;    // basic blocks that the current functions return to, the outermost first
  std::vector<uint32_t> functions_;  // the current functions, the outermost first
  WarpMasks alive_;                  // lanes that have not exited
  std::vector<WarpMasks> came_;      // [part of a detour] lanes that came to it
  struct Counted {
    WarpMasks lanes;
    WarpMaskCount count;
  };
  std::vector<Counted> counted_;  // [basic block] lanes that came to it last
  uint64_t live_warps_ = 0;
  uint64_t live_lanes_ = 0;
  bool moved_ = false;
  uint64_t checks_ = 0;
  uint64_t polls_ = 0;            // basic blocks that read what others may write
  uint64_t polls_at_anchor_ = 0;  // polls_ when the watched group was at its anchor last
  SpinDetector laps_;
};

}  // namespace lanescope::emulator
