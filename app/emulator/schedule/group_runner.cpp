#include "emulator/schedule/group_runner.h"

#include "emulator/schedule/barriers.h"
#include "emulator/schedule/built_in_calls.h"
#include "emulator/values/form.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace lanescope::emulator {
namespace {

/// Checks of one block after which its laps are watched.
constexpr uint64_t kFirstWatch = 4;
/// Checks of a batch after which its blocks go on one by one, and are watched.
constexpr uint64_t kLongestBatch = 64;

}  // namespace

void GroupRunner::begin_block() {
  alive_ = {};
  std::ranges::copy(state_.existing, alive_.masks());
  live_warps_ = code_.warps;
  live_lanes_ = volume(code_.block) * code_.batch;
  block_ = 0;
  done_ = 0;
  returns_.clear();
  functions_.clear();
  checks_ = 0;
  polls_ = 0;
  laps_ = {};
}

uint32_t GroupRunner::first_thread() const {
  uint32_t warp = 0;
  while (alive_[warp] == 0) ++warp;
  return thread_of(warp, alive_[warp]);
}

Warps GroupRunner::group_of(const WarpMasks& active, bool whole) const {
  return {.block = state_,
          .registers = state_.registers.get(),
          .first = 0,
          .count = code_.warps,
          .whole = whole,
          .common = 0,
          .has_forms = true,
          .is_detour = false,
          .active = active.masks()};
}

void GroupRunner::count_lives() {
  const WarpMaskCount lives = count(alive_, code_.warps);
  live_warps_ = lives.warps;
  live_lanes_ = lives.lanes;
}

Pause GroupRunner::run() {
  Warps warps = group_of(alive_, true);
  while (live_warps_ != 0) {
    const uint32_t block = block_;
    warps.common = live_lanes_ == uint64_t{code_.warps} * kLanes ? kAllLanes.bits : 0;
    const uint32_t first = std::max(program().blocks[block].first, std::exchange(done_, 0));
    executor_.execute(first, program().blocks[block].end, warps, live_warps_, live_lanes_,
                      laps_.watched ? &laps_ : nullptr);
    if (state_.stopped) return Pause::Stopped;
    const bool checks = executor_.is_check_due();
    if (checks && !executor_.may_continue()) return Pause::Stopped;
    if (!go_on()) return Pause::Diverged;
    if (state_.stopped) return Pause::Stopped;
    const bool polls = code_.polls[block] != 0;
    if (checks || polls || block_ == laps_.anchor) [[unlikely]] {
      if (const auto pause = watch(checks, polls)) return *pause;
    }
  }
  return Pause::Ended;
}

/// Checks once in a while if the group only waits for other blocks; none if it continues.
std::optional<Pause> GroupRunner::watch(bool checks, bool polls) {
  if (code_.batch > 1)
    return checks && ++checks_ == kLongestBatch ? std::optional(Pause::Waits) : std::nullopt;
  const auto begin_watch = [&] {
    laps_.begin(block_);
    laps_.at_anchor = false;  // the group leaves the anchor next
    polls_at_anchor_ = polls_;
  };
  if (block_ == laps_.anchor) {
    polls_at_anchor_ = polls_;
    if (laps_.came_round()) {
      laps_.start();
      return Pause::Spins;
    }
    moved_ = true;
  }
  // A group that polls and no longer passes the anchor waits in another loop: the watch begins again there.
  if (polls) ++polls_;
  if (polls && polls_ % kPollsBeforeWatch == 0 &&
      (!laps_.watched || polls_ - polls_at_anchor_ >= kPollsBeforeWatch))
    begin_watch();
  if (!checks) return std::nullopt;
  if (laps_.watched && !laps_.last) laps_.end();  // a lap takes too long
  // A watch hashes what every step writes, at twenty times the cost of a step: few blocks run long enough.
  ++checks_;
  if (checks_ < kFirstWatch || !std::has_single_bit(checks_)) return std::nullopt;
  begin_watch();
  if (checks_ >= kPatience && std::exchange(polls_, 0) != 0) return Pause::Waits;
  return std::nullopt;
}

/// Does what the last step of the block says if all warps can do it in the same way; false, with nothing
/// done, if not.
bool GroupRunner::go_on() {
  const uint32_t block = block_;
  switch (executor_.last_of(block).op) {
    case ptx::Op::bra:
      return branch();
    case ptx::Op::exit:
      return leave();
    case ptx::Op::call:
      return call();
    case ptx::Op::ret:
      if (executor_.last_code_of(block).guarded) return false;
      block_ = returns_.back();
      returns_.pop_back();
      functions_.pop_back();
      return true;
    case ptx::Op::brx_idx:
    case ptx::Op::trap:
      return false;
    default:
      if (ptx::is_barrier(executor_.last_of(block).op)) return pass_barrier();
      ++block_;
      return true;
  }
}

/// True if the step is executed, false if not, none if its guard may differ between threads.
std::optional<bool> GroupRunner::guard_of_all(const Step& step) const {
  if (!step.guarded) return true;
  const std::byte* const registers = state_.registers.get();
  if (!has_truth(registers, step.guard)) return std::nullopt;
  return (truth_of(registers, step.guard) != 0) != step.guard_negated;
}

/// Calls f(n, lanes of the n-th WarpMasks::Part that pass the guard of the step). Some may be lanes that do
/// not exist.
template <class F>
void GroupRunner::for_each_passing(const Step& step, F&& f) const {
  using Part = WarpMasks::Part;
  const uint32_t flip = step.guard_negated ? kAllLanes.bits : 0;
  const std::byte* guard = state_.registers.get() + step.guard.offset;
  for (uint32_t n = 0; n < parts_of(code_.warps); ++n) {
    Part passing = ~Part{};
    // Reads a whole part, perhaps beyond the last warp: a register takes whole cache lines.
    if (step.guarded) std::memcpy(&passing, guard + sizeof(Part) * n, sizeof(Part));
    f(n, passing ^ flip);
  }
}

bool GroupRunner::branch() {
  const Step& step = executor_.last_code_of(block_);
  bool all = true;
  if (const std::optional<bool> same = guard_of_all(step)) {
    all = *same;
  } else {
    WarpMasks::Part taken{};
    WarpMasks::Part rest{};
    for_each_passing(step, [&](uint32_t n, WarpMasks::Part passing) {
      taken |= alive_.part[n] & passing;
      rest |= alive_.part[n] & ~passing;
    });
    all = !any(rest);
    if (!all && any(taken)) {
      const std::optional<Detour>& detour = code_.detours[block_];
      if (!detour) return false;
      take_detour(*detour);
      return true;
    }
  }
  block_ = all ? static_cast<uint32_t>(step.immediate) : block_ + 1;
  return true;
}

/// Count of the lanes that come to a basic block; mostly they are those that came last, which it keeps.
const WarpMaskCount& GroupRunner::count_of(uint32_t block, const WarpMasks& lanes) {
  if (counted_.empty()) counted_.resize(program().blocks.size());
  Counted& last = counted_[block];
  if (std::memcmp(&last.lanes, &lanes, sizeof lanes) != 0) last = {lanes, count(lanes, code_.warps)};
  return last.count;
}

/// Executes the parts of a detour, each for the lanes that come to it. The group continues where all paths
/// meet.
void GroupRunner::take_detour(const Detour& detour) {
  const size_t meet = detour.parts.size() - 1;
  if (came_.size() <= meet) came_.resize(meet + 1);
  for (size_t n = 1; n < meet; ++n)
    for (uint32_t part = 0; part < parts_of(code_.warps); ++part) came_[n].part[part] = WarpMasks::Part{};
  for (size_t n = 0; n < meet; ++n) {
    const Detour::Part& part = detour.parts[n];
    const WarpMasks& lanes = n == 0 ? alive_ : came_[n];
    if (n != 0) {
      const WarpMaskCount& counted = count_of(part.block, lanes);
      if (counted.warps == 0) continue;
      Warps group = group_of(lanes, false);
      group.count = counted.end;
      group.common = counted.common;
      group.is_detour = !executor_.has_history() && !laps_.watched;
      executor_.execute(program().blocks[part.block].first, program().blocks[part.block].end, group,
                        counted.warps, counted.lanes, laps_.watched ? &laps_ : nullptr);
      if (state_.stopped) return;
    }
    // Both ways lead to the end of the detour, where lanes need no mask.
    if (part.taken == meet && part.next == meet) continue;
    for_each_passing(executor_.last_code_of(part.block), [&](uint32_t of, WarpMasks::Part passing) {
      if (part.taken != meet) came_[part.taken].part[of] |= lanes.part[of] & passing;
      if (part.next != meet) came_[part.next].part[of] |= lanes.part[of] & ~passing;
    });
  }
  block_ = detour.parts[meet].block;
}

bool GroupRunner::leave() {
  const Step& step = executor_.last_code_of(block_);
  if (guard_of_all(step).value_or(true)) {  // else no thread exits
    const uint64_t before = live_lanes_;
    for_each_passing(step, [&](uint32_t n, WarpMasks::Part passing) { alive_.part[n] &= ~passing; });
    count_lives();
    state_.exited += before - live_lanes_;
  }
  ++block_;
  return true;
}

/// Executes a call that all warps make in the same way, of a function that is not running yet; false, with
/// nothing done, for other calls. Warps print in their order.
bool GroupRunner::call() {
  const Step& step = executor_.last_code_of(block_);
  const ptx::Call& call = program().calls[executor_.last_of(block_).list];
  if (step.guarded || call.may_recur || call.kind == ptx::Call::Kind::Pointer) return false;
  if (call.kind != ptx::Call::Kind::Function) {
    for (uint32_t warp = 0; warp < code_.warps && !state_.stopped; ++warp)
      if (alive_[warp] != 0) call_built_in(executor_, warp, step, alive_[warp]);
    ++block_;
    return true;
  }
  for (uint32_t warp = 0; warp < code_.warps; ++warp)
    frames_.begin(warp, call.function, kAllLanes.bits, step);
  returns_.push_back(block_ + 1);
  functions_.push_back(call.function);
  block_ = program().functions[call.function].entry;
  return true;
}

bool GroupRunner::pass_barrier() {
  const ptx::Step& last = executor_.last_of(block_);
  if (ptx::only_arrives(last.op) || ptx::reduces_predicate(last.op)) return false;
  const bool counts = last.source[1] != ptx::kNoSlot;
  if (last.guard != ptx::kNoSlot || counts) return false;
  // A barrier that does not exist is reported by each warp alone.
  const Form& number = form_of(state_.registers.get(), executor_.last_code_of(block_).source[0]);
  if ((number.state & kIsConstant) == 0 || number.first >= Barriers::kCount) return false;
  for (uint32_t n = 0; state_.observer && n < code_.batch; ++n) report_barrier(n);
  for (uint32_t warp = 0; state_.wants_values && warp < code_.warps; ++warp)
    state_.note_wait(trace::Wait::Kind::Barrier, program().blocks[block_].end - 1, warp, {alive_[warp]});
  ++state_.meetings;
  state_.sink->on_barrier({});
  ++block_;
  return true;
}

/// Reports to the observer that the `n`-th block of the group passes the barrier, unless all of its threads
/// have exited.
void GroupRunner::report_barrier(uint32_t n) const {
  std::optional<uint32_t> first;
  uint64_t lanes = 0;
  if (live_lanes_ == volume(code_.block) * code_.batch) {
    first = 0;
    lanes = volume(code_.block);
  } else {
    for (uint32_t warp = 0; warp < code_.warps_of_block(); ++warp) {
      const LaneMask alive{alive_[code_.order().number_of(n, warp)]};
      if (alive.any() && !first) first = thread_of(warp, alive.bits);
      lanes += static_cast<uint64_t>(alive.count());
    }
  }
  if (!first) return;
  state_.observer->on_barrier(n);
  state_.observer->on_threads_at_barrier(n, program().blocks[block_].end - 1, *first, lanes);
}

void GroupRunner::part(std::vector<LaneTree>& lanes_of_warps) const {
  std::byte* const registers = state_.registers.get();
  for (const Operand& operand : code_.written) {
    state_.fill_lanes(operand);
    drop_form(registers, operand);
  }
  for (uint32_t warp = 0; warp < code_.warps; ++warp) {
    LaneTree& lanes = lanes_of_warps[warp];
    lanes.reset(block_, program().blocks[block_].first, alive_[warp]);
    if (lanes.empty()) continue;
    for (size_t n = 0; n < returns_.size(); ++n)
      lanes.call(lanes.leaves().back(), returns_[n], functions_[n], alive_[warp], program());
    go_to(lanes[lanes.leaves().back()], block_, program());
  }
}

/// Gives a constant form to each register that is still needed and has one value in all threads that run.
/// Which are needed is known at the start of a basic block.
void GroupRunner::find_constants() {
  const std::vector<bool>& live = program().blocks[block_].live;
  for (size_t function = 0; function < code_.functions.size(); ++function) {
    const std::vector<ptx::Slot>& slots = program().functions[function].slots;
    for (size_t n = 0; n < slots.size(); ++n)
      if (done_ != 0 || live[slots[n]])
        find_constant(state_.registers.get(), code_.functions[function].registers[n],
                      {alive_.masks(), code_.warps});
  }
}

bool GroupRunner::take_over(const GroupRunner& batch, uint32_t n, uint32_t done) {
  for (uint32_t warp = 0; warp < code_.warps; ++warp)
    alive_.masks()[warp] = batch.alive_[batch.code_.order().number_of(n, warp)];
  count_lives();
  if (live_warps_ == 0) return false;
  block_ = batch.block_;
  done_ = done;
  find_constants();
  return true;
}

void GroupRunner::join(const std::vector<LaneTree>& lanes_of_warps) {
  uint32_t source = 0;
  while (lanes_of_warps[source].empty()) ++source;
  const LaneTree& first = lanes_of_warps[source];
  const LaneTree::Index leaf = first.leaves().back();
  returns_.clear();
  functions_.clear();
  for (const LaneTree::Index call : first.calls_of(leaf)) {
    returns_.push_back(first[call].block);
    functions_.push_back(first[call].function);
  }
  for (uint32_t warp = 0; warp < code_.warps; ++warp) alive_.masks()[warp] = lanes_of_warps[warp].alive();
  count_lives();
  block_ = first[leaf].block;
  find_constants();
}

}  // namespace lanescope::emulator
