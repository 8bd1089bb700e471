#include "emulator/schedule/block_runner.h"

#include <utility>

namespace lanescope::emulator {

BlockRunner::BlockRunner(const Code& code, const Memory& memory, AccessObserver* observer,
                         Scheduling scheduling, std::function<bool(uint64_t)> may_go_on)
    : executor_(code, memory, observer, std::move(may_go_on)),
      lanes_(code.warps, LaneTree(code.barriers.get())),
      frames_(executor_, lanes_),
      barriers_(executor_, lanes_),
      members_(executor_, lanes_),
      deadlock_(executor_, lanes_, members_, scheduling),
      control_(executor_, lanes_, frames_, barriers_),
      group_(executor_, frames_),
      warps_(executor_, lanes_, scheduling, control_, barriers_, members_, deadlock_) {}

void BlockRunner::begin_schedule() {
  group_.begin_block();
  barriers_.begin_block();
  time_jumps_ = 0;
}

BlockRunner::State BlockRunner::run_from(BatchRunner& batch, uint32_t n) {
  executor_.begin_block_from(batch.executor(), n);
  begin_schedule();
  return group_.take_over(batch.group(), n, batch.done()) ? resume() : State::Ended;
}

BlockRunner::State BlockRunner::run(CtaId cta, trace::Sink& sink, HistoryRecorder* history) {
  executor_.begin_block(cta, sink, history);
  begin_schedule();
  if (history != nullptr || executor_.code().is_reference) {
    group_.part(lanes_);
    executor_.set_group(false);
  }
  return resume();
}

BlockRunner::State BlockRunner::resume() {
  group_.clear_moved();
  warps_.clear_moved();
  for (;;) {
    switch (executor_.is_group() ? group_.run() : warps_.run()) {
      case Pause::Ended:
        if (executor_.state().observer != nullptr) executor_.state().observer->end_block();
        // Reports the last instructions. The answer is ignored: a block that has ended cannot be stopped.
        (void)executor_.may_continue();
        return State::Ended;
      case Pause::Stopped:
        return State::Stopped;
      case Pause::Waits:
        return suspended(State::Waits);
      case Pause::Spins:
        return suspended(time_passes() ? State::Waits : State::Spins);
      case Pause::Diverged:
        if (!run_warps_alone()) return State::Stopped;
        break;
      case Pause::Joined:
        group_.join(lanes_);
        executor_.set_group(true);
        break;
    }
  }
}

/// Reports the suspension to the observer, unless the block has only polled since it was resumed: polling
/// orders no accesses.
BlockRunner::State BlockRunner::suspended(State state) {
  if (executor_.state().observer != nullptr && moved()) executor_.state().observer->suspend_block();
  return state;
}

/// Splits the group: each warp does the step that the group could not do as one. False if a step stopped
/// the block.
bool BlockRunner::run_warps_alone() {
  group_.part(lanes_);
  executor_.set_group(false);
  for (uint32_t warp = 0; warp < lanes_.size(); ++warp)
    if (!lanes_[warp].empty()) control_.go_on(warp, lanes_[warp].leaves().back());
  return !executor_.state().stopped;
}

/// Advances the clock of a block whose lanes spin, which may wait for a time: several jumps, until the clock
/// is later than the end of any wait. False after the last jump, or if the block has never read a clock.
bool BlockRunner::time_passes() {
  constexpr int kMostJumps = 5;
  constexpr int kBitsPerJump = 10;  // 2^50 nanoseconds are 13 days
  if (moved()) time_jumps_ = 0;
  BlockState& state = executor_.state();
  if (state.clock_read == 0 || time_jumps_ == kMostJumps) return false;
  state.clock += uint64_t{1} << kBitsPerJump * ++time_jumps_;
  return true;
}

std::string BlockRunner::describe_warps() const {
  return executor_.is_group() ? deadlock_.describe_group(group_.block()) : deadlock_.describe_warps();
}

void BlockRunner::give_up(const std::string& others) {
  if (executor_.is_group()) {
    deadlock_.report_spinning_group(group_.block(), group_.first_thread(), others);
  } else {
    deadlock_.report_spinning_lanes(others);
  }
}

}  // namespace lanescope::emulator
