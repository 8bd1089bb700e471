// Warps that run for themselves: lanes that part, wait and meet.

#include "emulator/runner.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanescope::emulator {
namespace {

/// Blocks of the program after which another warp gets its turn, so that a warp may wait for another's write.
constexpr int kTurn = 1024;
constexpr uint64_t kCheckInterval = 1 << 16;

}  // namespace

uint32_t Runner::executing(uint32_t warp, const Step& step) const {
  const uint32_t mask = warps_[warp].stack.back().mask;
  if (!step.guarded) return mask;
  uint32_t guard = 0;
  std::memcpy(&guard, state_.registers.get() + step.guard.offset + size_t{step.guard.own} * warp,
              sizeof guard);
  return mask & (step.guard_negated ? ~guard : guard);
}

uint32_t Runner::word_at(uint32_t warp, const Operand& operand, int lane) const {
  uint32_t word = 0;
  std::memcpy(&word,
              state_.registers.get() + operand.offset + size_t{operand.own} * warp +
                  sizeof word * static_cast<size_t>(lane),
              sizeof word);
  return word;
}

Runner::Outcome Runner::run_warps() {
  for (;;) {
    bool ran = false;
    for (uint32_t warp = 0; warp < code_.warps; ++warp) {
      if (warps_[warp].status != Status::Ready) continue;
      ran = true;
      run_warp(warp);
      if (state_.stopped || !check_in(kCheckInterval)) return Outcome::Stopped;
    }
    if (std::ranges::all_of(warps_, [](const WarpState& warp) { return warp.status == Status::Exited; }))
      return Outcome::Ended;
    const bool can_be_a_group = can_join();
    const bool released = release_barriers();
    if (released && can_be_a_group) {
      join();
      return Outcome::Joined;
    }
    if (!ran && !released) {
      report_deadlock();
      return Outcome::Stopped;
    }
  }
}

void Runner::run_warp(uint32_t warp) {
  WarpState& state = warps_[warp];
  for (int turn = 0; turn < kTurn && state.status == Status::Ready && !state_.stopped; ++turn) {
    const Entry now = state.stack.back();
    if (now.block == now.reconvergence) {
      state.stack.pop_back();
      continue;
    }
    Warps warps{.block = state_,
                .registers = state_.registers.get(),
                .first = warp,
                .count = 1,
                .whole = now.mask == state.alive,
                .active = &now.mask,
                .once_active = &now.mask};
    execute(now.block, warps, 1, static_cast<uint64_t>(std::popcount(now.mask)));
    if (!state_.stopped) go_on(warp);
  }
}

/// Does what the last step of the block says.
void Runner::go_on(uint32_t warp) {
  Entry& now = warps_[warp].stack.back();
  const Step& step = last_code_of(now.block);
  switch (last_of(now.block).op) {
    case ptx::Op::bra:
      branch(warp);
      break;
    case ptx::Op::brx_idx:
      branch_by_table(warp);
      break;
    case ptx::Op::exit: {
      const uint32_t leaving = executing(warp, step);
      ++now.block;
      exit_lanes(warp, leaving);
      break;
    }
    case ptx::Op::trap:
      if (const uint32_t mask = executing(warp, step); mask != 0) {
        state_.report(trace::HazardKind::Trap, step,
                      warp * kLanes + static_cast<uint32_t>(std::countr_zero(mask)),
                      "the kernel stops itself with a trap, as a failed assertion does");
      }
      ++now.block;
      break;
    default:
      if (ptx::is_barrier(last_of(now.block).op)) {
        arrive(warp);
      } else {
        ++now.block;
      }
  }
}

void Runner::branch(uint32_t warp) {
  Entry& now = warps_[warp].stack.back();
  const Step& step = last_code_of(now.block);
  const auto target = static_cast<uint32_t>(step.immediate);
  const uint32_t taken = executing(warp, step);
  const uint32_t others = now.mask & ~taken;
  if (others == 0) {
    now.block = target;
  } else if (taken == 0) {
    ++now.block;
  } else {
    const uint32_t meeting = program().blocks[now.block].reconvergence;
    diverge(warp, {.block = now.block + 1, .reconvergence = meeting, .mask = others},
            {.block = target, .reconvergence = meeting, .mask = taken});
  }
}

/// Lanes go two ways. Who goes straight to the meeting point waits there and needs no entry.
void Runner::diverge(uint32_t warp, Entry first, Entry second) {
  std::vector<Entry>& stack = warps_[warp].stack;
  const uint32_t meeting = first.reconvergence;
  // If both ways only meet at the exit, run the one first that cannot wait for the other at a barrier.
  if (meeting == ptx::Block::kNever && program().blocks[first.block].reaches_barrier &&
      !program().blocks[second.block].reaches_barrier)
    std::swap(first, second);
  // Where this entry's lanes are awaited already, its own waiting there would be in vain.
  if (meeting == ptx::Block::kNever || meeting == stack.back().reconvergence) {
    stack.pop_back();
  } else {
    stack.back().block = meeting;
  }
  if (second.block != meeting) stack.push_back(second);
  if (first.block != meeting) stack.push_back(first);
}

void Runner::branch_by_table(uint32_t warp) {
  std::vector<Entry>& stack = warps_[warp].stack;
  const Entry now = stack.back();
  const Step& step = last_code_of(now.block);
  const ptx::Step& last = last_of(now.block);
  const uint32_t taken = executing(warp, step);
  const uint32_t meeting = program().blocks[now.block].reconvergence;
  if (meeting == ptx::Block::kNever || meeting == now.reconvergence) {
    stack.pop_back();
  } else {
    stack.back().block = meeting;
  }
  const auto go = [&](uint32_t block, uint32_t mask) {
    if (block != meeting) stack.push_back({.block = block, .reconvergence = meeting, .mask = mask});
  };
  if (const uint32_t others = now.mask & ~taken; others != 0) go(now.block + 1, others);
  for (uint32_t rest = taken; rest != 0;) {
    const uint32_t index = word_at(warp, step.source[0], std::countr_zero(rest));
    uint32_t same = 0;
    for_each_lane({rest},
                  [&](int lane) { same |= uint32_t{word_at(warp, step.source[0], lane) == index} << lane; });
    rest &= ~same;
    if (index >= static_cast<uint32_t>(last.immediate)) {
      state_.report(trace::HazardKind::OutOfBounds, step,
                    warp * kLanes + static_cast<uint32_t>(std::countr_zero(same)),
                    "jumps by an index beyond the end of its branch table; check the index");
      return;
    }
    go(program().lists[last.list + index], same);
  }
}

void Runner::exit_lanes(uint32_t warp, uint32_t leaving) {
  WarpState& state = warps_[warp];
  state.alive &= ~leaving;
  for (Entry& entry : state.stack) entry.mask &= ~leaving;
  std::erase_if(state.stack, [](const Entry& entry) { return entry.mask == 0; });
  if (state.stack.empty()) state.status = Status::Exited;
}

}  // namespace lanescope::emulator
