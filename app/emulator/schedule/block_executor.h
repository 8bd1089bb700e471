// Executes steps of a block for its warps, all together or one alone, and reads its registers. Instructions
// are counted here, and the run is asked now and then whether the block may continue. Tests:
// tests/unit/emulator/{divergence,history,run}_test.cpp

#pragma once

#include "base/ids.h"
#include "emulator/block/block.h"
#include "emulator/block/history_recorder.h"
#include "emulator/schedule/spin_detector.h"
#include "emulator/values/code.h"

#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace lanescope::emulator {

/// Executed instructions. A warp counts each once, whatever its mask.
struct InstructionCount {
  uint64_t warp = 0;
  uint64_t lane = 0;
  /// [step, and one more] how many more lanes reached a step than the step before it: few sums for each run
  /// of steps, whatever its length. Differences wrap around.
  std::vector<uint64_t> lane_changes;

  InstructionCount& operator+=(const InstructionCount& other);
  /// [step] lanes that reached it.
  std::vector<uint64_t> lanes_of_step() const;
};

/// Why the group of all warps, or the warps one by one, stop running.
enum class Pause : uint8_t { Ended, Diverged, Joined, Stopped, Waits, Spins };

/// The number in the block of the first of these lanes.
constexpr uint32_t thread_of(uint32_t warp, uint32_t lanes) {
  return warp * kLanes + static_cast<uint32_t>(std::countr_zero(lanes));
}

class BlockExecutor {
 public:
  /// `observer` may be null. `may_go_on(instructions)` is asked now and then with the warp instructions
  /// executed since it was asked last; false ends the block at once.
  BlockExecutor(const Code& code, const Memory& memory, AccessObserver* observer,
                std::function<bool(uint64_t)> may_go_on)
      : code_(code), state_(code, memory, observer), may_go_on_(std::move(may_go_on)) {
    count_.lane_changes.resize(code.steps.size() + 1);
  }
  BlockExecutor(const BlockExecutor&) = delete;
  BlockExecutor& operator=(const BlockExecutor&) = delete;

  /// All warps begin as one group. `history` may be null.
  void begin_block(CtaId cta, trace::Sink& sink, HistoryRecorder* history);

  /// Begins the `n`-th block of a batch where the batch stopped.
  void begin_block_from(BlockExecutor& batch, uint32_t n);

  const Code& code() const { return code_; }
  const ptx::Program& program() const { return *code_.program; }
  BlockState& state() { return state_; }
  const BlockState& state() const { return state_; }

  /// True while all warps run as one group.
  bool is_group() const { return is_group_; }
  void set_group(bool is_group) { is_group_ = is_group; }

  /// Executes the steps [first, end) of the program. `watch`, if not null, gets all that they compute.
  void execute(uint32_t first, uint32_t end, Warps& warps, uint64_t live_warps, uint64_t live_lanes,
               SpinDetector* watch) {
    HistoryRecorder* const history = history_of(warps.first);
    state_.issued_from = first;
    state_.issuing = live_warps;
    if (watch == nullptr && history == nullptr) [[likely]] {
      const Step* const last = code_.steps.data() + end;
      for (const Step* step = code_.steps.data() + first; step != last; ++step) step->handler(warps, *step);
    } else {
      execute_watched(first, end, warps, history, watch);
    }
    const uint64_t steps = end - first;
    count_.warp += steps * live_warps;
    state_.clock += steps * live_warps;
    count_.lane += steps * live_lanes;
    count_.lane_changes[first] += live_lanes;
    count_.lane_changes[end] -= live_lanes;
  }
  /// One warp for execute(). `mask` must outlive it; `whole`: it is all lanes of the warp that still run.
  Warps one_warp(uint32_t warp, const uint32_t& mask, bool whole) {
    return {.block = state_,
            .registers = state_.registers.get(),
            .first = warp,
            .count = 1,
            .whole = whole,
            .common = 0,
            .has_forms = false,
            .is_detour = false,
            .active = &mask};
  }

  /// Recorder of the warp's history; null if another warp, or none, is recorded.
  HistoryRecorder* history_of(uint32_t warp) const {
    return history_ != nullptr && history_->warp() == warp ? history_ : nullptr;
  }
  bool has_history() const { return history_ != nullptr; }

  // Registers.
  uint32_t mask_at(const Operand& operand, uint32_t warp) const;
  /// Value of a register of 32 or 64 bits in one lane.
  uint64_t word_at(uint32_t warp, const Operand& operand, int lane) const;
  /// Lanes of `lanes` that pass the guard of the step.
  uint32_t executing(uint32_t warp, uint32_t lanes, const Step& step) const;

  /// The last step of a basic block.
  const ptx::Step& last_of(uint32_t block) const { return program().steps[program().blocks[block].end - 1]; }
  const Step& last_code_of(uint32_t block) const { return code_.steps[program().blocks[block].end - 1]; }

  const InstructionCount& instructions() const { return count_; }
  /// True if the next may_continue() asks `may_go_on`.
  bool is_check_due() const { return count_.warp - reported_ >= kCheckInterval; }
  /// Reports the executed instructions once in a while. False if the block must end.
  bool may_continue() { return !refused_ && (!is_check_due() || report()); }

 private:
  static constexpr uint64_t kCheckInterval = 1 << 16;  // warp instructions

  void execute_watched(uint32_t first, uint32_t end, Warps& warps, HistoryRecorder* history,
                       SpinDetector* watch);
  void add_results(const Step& step, const Warps& warps, SpinDetector& laps);
  bool report();

  const Code& code_;
  BlockState state_;
  bool is_group_ = true;
  HistoryRecorder* history_ = nullptr;
  InstructionCount count_;
  std::function<bool(uint64_t)> may_go_on_;
  uint64_t reported_ = 0;  // of the instructions, to may_go_on
  bool refused_ = false;   // may_go_on said no
};

}  // namespace lanescope::emulator
