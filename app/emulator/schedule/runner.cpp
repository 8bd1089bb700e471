#include "emulator/schedule/runner.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace lanescope::emulator {
namespace {

constexpr uint64_t kCheckInterval = 1 << 16;  // warp instructions
/// Blocks that poll after which a watch begins.
constexpr uint64_t kPolls = 64;
/// Checks after which a group that polls lets other blocks go on.
constexpr uint64_t kPatience = 16;
/// Checks of one block after which its laps are watched.
constexpr uint64_t kFirstWatch = 4;

}  // namespace

Runner::Runner(const Code& code, const Memory& memory, std::unique_ptr<Checker> checker,
               Scheduling scheduling, std::function<bool(uint64_t)> may_go_on)
    : code_(code),
      state_(code, memory, std::move(checker)),
      scheduling_(scheduling),
      may_go_on_(std::move(may_go_on)),
      all_lanes_(code.warps, kAllLanes.bits),
      lanes_(code.warps) {}

Runner::State Runner::run(CtaId cta, trace::Sink& sink, HistoryRecorder* history) {
  state_.begin(cta, sink);
  history_ = history;
  alive_ = state_.existing;
  is_group_ = true;
  group_block_ = 0;
  group_returns_.clear();
  group_functions_.clear();
  group_checks_ = 0;
  group_polls_ = 0;
  group_laps_ = {};
  time_jumps_ = 0;
  arrived_ = {};
  if (history_ != nullptr) {
    part();
    is_group_ = false;
  }
  return resume();
}

Runner::State Runner::resume() {
  moved_ = false;
  for (;;) {
    switch (is_group_ ? run_group() : run_warps()) {
      case Outcome::Ended:
        if (state_.checker) state_.checker->end_block();
        return check_in(kCheckInterval) ? State::Ended : State::Stopped;
      case Outcome::Stopped:
        return State::Stopped;
      case Outcome::Waits:
        return State::Waits;
      case Outcome::Spins:
        return time_passes() ? State::Waits : State::Spins;
      case Outcome::Parted:
        is_group_ = false;
        break;
      case Outcome::Joined:
        is_group_ = true;
        break;
    }
  }
}

/// Those who spin may wait for a time: before they are taken to be stuck, it becomes much later, and again,
/// until it is later than any wait. False where that is over, or nobody ever looked at a clock.
bool Runner::time_passes() {
  constexpr int kMostJumps = 5;
  constexpr int kBitsPerJump = 10;  // 2^50 nanoseconds are 13 days
  if (moved_) time_jumps_ = 0;
  if (state_.clock == 0 || time_jumps_ == kMostJumps) return false;
  state_.clock += uint64_t{1} << kBitsPerJump * ++time_jumps_;
  return true;
}

uint32_t Runner::mask_at(const Operand& operand, uint32_t warp) const {
  uint32_t mask = 0;
  const size_t stride = is_group_ ? operand.group : operand.own;
  std::memcpy(&mask, state_.registers.get() + operand.offset + stride * warp, sizeof mask);
  return mask;
}

void Runner::execute(uint32_t first, uint32_t end, Warps& warps, uint64_t live_warps, uint64_t live_lanes,
                     SpinDetector* watch) {
  const Step* const begin = code_.steps.data() + first;
  const Step* const last = code_.steps.data() + end;
  HistoryRecorder* const history = history_of(warps.first);
  if (watch == nullptr && history == nullptr) [[likely]] {
    for (const Step* step = begin; step != last; ++step) step->handler(warps, *step);
  } else {
    for (const Step* step = begin; step != last; ++step) {
      if (history != nullptr)
        history->execute(warps, *step);
      else
        step->handler(warps, *step);
      if (watch != nullptr) add_results(*step, warps, *watch);
    }
  }
  const uint64_t steps = end - first;
  count_.warp += steps * live_warps;
  count_.lane += steps * live_lanes;
}

/// What the step wrote, in the lanes that execute.
void Runner::add_results(const Step& step, const Warps& warps, SpinDetector& laps) const {
  const ptx::Step& from = program().steps[step.index];
  const bool timed = from.flags & ptx::Step::kTimed;
  laps.reads_clock = laps.reads_clock || ptx::reads_clock(from);
  const auto add_word = [&](uint64_t word) { timed ? laps.add_timed(word) : laps.add(word); };
  const auto add = [&](const Operand& operand) {
    if (operand.own == 0) return;
    const std::byte* at = state_.registers.get() + operand.offset + size_t{operand.own} * warps.first;
    const uint32_t copies = operand.group == 0 ? 1 : warps.count;
    for (uint32_t n = 0; n < copies; ++n, at += operand.own) {
      const uint32_t lanes = operand.group == 0 ? *warps.once_active : warps.active[n];
      if (operand.own == sizeof lanes) {
        uint32_t truths = 0;
        std::memcpy(&truths, at, sizeof truths);
        add_word(truths & lanes);
        continue;
      }
      const size_t bytes = operand.own / size_t{kLanes};
      for_each_lane({lanes}, [&](int lane) {
        uint64_t value = 0;
        std::memcpy(&value, at + bytes * static_cast<size_t>(lane), bytes);
        add_word(value);
      });
    }
  };
  for (size_t n = 0; n < step.destination.size(); ++n)
    if (from.destination[n] != ptx::kNoSlot) add(step.destination[n]);
  for (uint32_t n = 0; n < from.list_written; ++n)
    if (program().lists[from.list + n] != ptx::kNoSlot) add(step.list[n]);
}

/// Reports the instructions to whoever limits them, once in a while; whether the block may go on.
bool Runner::check_in(uint64_t interval) {
  if (refused_) return false;
  if (count_.warp - reported_ < interval) return true;
  refused_ = !may_go_on_(count_.warp - reported_);
  reported_ = count_.warp;
  return !refused_;
}

Runner::Outcome Runner::run_group() {
  const auto count_lives = [&] {
    live_warps_ = live_lanes_ = 0;
    for (const uint32_t mask : alive_) {
      live_warps_ += mask != 0;
      live_lanes_ += static_cast<uint64_t>(std::popcount(mask));
    }
  };
  count_lives();
  Warps warps{.block = state_,
              .registers = state_.registers.get(),
              .first = 0,
              .count = code_.warps,
              .whole = true,
              .active = alive_.data(),
              .once_active = all_lanes_.data()};
  while (live_warps_ != 0) {
    const uint32_t block = group_block_;
    execute(program().blocks[block].first, program().blocks[block].end, warps, live_warps_, live_lanes_,
            group_laps_.watched ? &group_laps_ : nullptr);
    if (state_.stopped) return Outcome::Stopped;
    const bool checks = count_.warp - reported_ >= kCheckInterval;
    if (checks && !check_in(kCheckInterval)) return Outcome::Stopped;
    const bool some_exit = last_of(block).op == ptx::Op::exit;
    if (!go_on_as_group()) {
      part();
      is_group_ = false;
      for (uint32_t warp = 0; warp < code_.warps; ++warp)
        if (!lanes_[warp].empty()) go_on(warp, lanes_[warp].leaves().back());
      return state_.stopped ? Outcome::Stopped : Outcome::Parted;
    }
    if (some_exit) count_lives();
    const bool polls = code_.polls[block] != 0;
    if (checks || polls || group_block_ == group_laps_.anchor) [[unlikely]] {
      if (const auto outcome = watch_group(checks, polls)) return *outcome;
    }
  }
  return Outcome::Ended;
}

/// Once in a while: whether the group only waits for other blocks.
std::optional<Runner::Outcome> Runner::watch_group(bool checks, bool polls) {
  const auto begin_watch = [&] {
    group_laps_.begin(group_block_);
    group_laps_.at_anchor = false;  // it is there now, and leaves it next
    polls_at_anchor_ = group_polls_;
  };
  if (group_block_ == group_laps_.anchor) {
    polls_at_anchor_ = group_polls_;
    if (group_laps_.came_round()) {
      group_laps_.start();
      return Outcome::Spins;
    }
    moved_ = true;
  }
  // Where it polls and no longer comes by the anchor, it waits for something else by now.
  if (polls) ++group_polls_;
  if (polls && group_polls_ % kPolls == 0 &&
      (!group_laps_.watched || group_polls_ - polls_at_anchor_ >= kPolls))
    begin_watch();
  if (!checks) return std::nullopt;
  if (group_laps_.watched && !group_laps_.last) group_laps_.end();  // a lap takes too long
  // A watch reads what every step writes, which costs twenty times the step: ordinary blocks never get there.
  ++group_checks_;
  if (group_checks_ < kFirstWatch || !std::has_single_bit(group_checks_)) return std::nullopt;
  begin_watch();
  if (group_checks_ >= kPatience && std::exchange(group_polls_, 0) != 0) return Outcome::Waits;
  return std::nullopt;
}

/// Does what the last step of the block says if all warps can do it alike; false, with nothing done, if not.
bool Runner::go_on_as_group() {
  const uint32_t block = group_block_;
  switch (last_of(block).op) {
    case ptx::Op::bra:
      return branch_as_group();
    case ptx::Op::exit:
      return leave_as_group();
    case ptx::Op::call:
      return call_as_group();
    case ptx::Op::ret:
      if (last_code_of(block).guarded) return false;
      group_block_ = group_returns_.back();
      group_returns_.pop_back();
      group_functions_.pop_back();
      return true;
    case ptx::Op::brx_idx:
    case ptx::Op::trap:
      return false;
    default:
      if (ptx::is_barrier(last_of(block).op)) return pass_barrier_as_group();
      ++group_block_;
      return true;
  }
}

bool Runner::branch_as_group() {
  const Step& step = last_code_of(group_block_);
  bool all = true;
  bool none = true;
  if (step.guarded) {
    const uint32_t flip = step.guard_negated ? kAllLanes.bits : 0;
    for (uint32_t warp = 0; warp < code_.warps; ++warp) {
      const uint32_t taken = (mask_at(step.guard, warp) ^ flip) & alive_[warp];
      all = all && taken == alive_[warp];
      none = none && taken == 0;
    }
    if (!all && !none) return false;
  }
  group_block_ = all ? static_cast<uint32_t>(step.immediate) : group_block_ + 1;
  return true;
}

bool Runner::leave_as_group() {
  const Step& step = last_code_of(group_block_);
  const uint32_t flip = step.guard_negated ? kAllLanes.bits : 0;
  for (uint32_t warp = 0; warp < code_.warps; ++warp) {
    const uint32_t stay = step.guarded ? alive_[warp] & ~(mask_at(step.guard, warp) ^ flip) : 0;
    state_.exited += static_cast<uint64_t>(std::popcount(alive_[warp] & ~stay));
    alive_[warp] = stay;
  }
  ++group_block_;
  return true;
}

/// Calls that all make alike, of a function that is not running yet; what a call prints has its place in the
/// order of the warps.
bool Runner::call_as_group() {
  const Step& step = last_code_of(group_block_);
  const ptx::Call& call = program().calls[last_of(group_block_).list];
  if (step.guarded || call.may_recur || call.kind == ptx::Call::Kind::Pointer) return false;
  if (call.kind != ptx::Call::Kind::Function) {
    for (uint32_t warp = 0; warp < code_.warps && !state_.stopped; ++warp)
      if (alive_[warp] != 0) call_built_in(warp, step, alive_[warp]);
    ++group_block_;
    return true;
  }
  for (uint32_t warp = 0; warp < code_.warps; ++warp) begin_frame(warp, call.function, kAllLanes.bits, step);
  group_returns_.push_back(group_block_ + 1);
  group_functions_.push_back(call.function);
  group_block_ = program().functions[call.function].entry;
  return true;
}

bool Runner::pass_barrier_as_group() {
  const ptx::Step& last = last_of(group_block_);
  if (ptx::only_arrives(last.op) || ptx::reduces_predicate(last.op)) return false;
  const bool for_all =
      last.guard == ptx::kNoSlot && program().slots[last.source[0]].content != ptx::SlotContent::PerLane;
  const bool counts = last.source[1] != ptx::kNoSlot;
  if (!for_all || counts) return false;
  // One that does not exist is for each warp to report.
  if (word_at(0, last_code_of(group_block_).source[0], 0) >= kBarriers) return false;
  if (state_.checker) state_.checker->pass_barrier();
  ++group_block_;
  return true;
}

/// From a group to warps that run for themselves: each gets its own copy of what the block computed once.
void Runner::part() {
  std::byte* const registers = state_.registers.get();
  const auto copy_to_all = [&](const Operand& operand, size_t bytes) {
    std::byte* const first = registers + operand.offset;
    for (uint32_t warp = 1; warp < code_.warps; ++warp)
      std::memcpy(first + size_t{operand.own} * warp, first, bytes);
  };
  for (const Operand& operand : code_.shared_by_warps) copy_to_all(operand, operand.own);
  for (const Operand& operand : code_.shared_predicates) copy_to_all(operand, operand.own);
  for (uint32_t warp = 0; warp < code_.warps; ++warp) {
    LaneTree& lanes = lanes_[warp];
    lanes.reset(group_block_, program().blocks[group_block_].first, alive_[warp]);
    if (lanes.empty()) continue;
    for (size_t n = 0; n < group_returns_.size(); ++n)
      lanes.call(lanes.leaves().back(), group_returns_[n], group_functions_[n], alive_[warp], program());
    go_to(lanes[lanes.leaves().back()], group_block_);
  }
}

/// From warps that all stand at the same block with all their lanes to a group. What a block computes once is
/// the same in every thread that lives; the group reads it in all lanes of the first warp.
void Runner::join() {
  uint32_t source = 0;
  while (lanes_[source].empty()) ++source;
  const LaneTree& first = lanes_[source];
  const auto lane = static_cast<uint32_t>(std::countr_zero(first.alive()));
  std::byte* const registers = state_.registers.get();
  for (const Operand& operand : code_.shared_by_warps) {
    std::byte* const to = registers + operand.offset;
    const size_t bytes = operand.own / kLanes;
    std::byte value[sizeof(uint64_t)];
    std::memcpy(value, to + size_t{operand.own} * source + bytes * lane, bytes);
    for (size_t l = 0; l < kLanes; ++l) std::memcpy(to + bytes * l, value, bytes);
  }
  for (const Operand& operand : code_.shared_predicates) {
    const uint32_t mask = mask_at(operand, source) >> lane & 1 ? kAllLanes.bits : 0;
    std::memcpy(registers + operand.offset, &mask, sizeof mask);
  }
  const Index leaf = first.leaves().back();
  group_returns_.clear();
  group_functions_.clear();
  for (const Index call : first.calls_of(leaf)) {
    group_returns_.push_back(first[call].block);
    group_functions_.push_back(first[call].function);
  }
  for (uint32_t warp = 0; warp < code_.warps; ++warp) alive_[warp] = lanes_[warp].alive();
  group_block_ = first[leaf].block;
}

}  // namespace lanescope::emulator
