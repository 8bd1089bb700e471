// Barriers. A warp that has exited is not waited for, as on a GPU. Source: PTX ISA, "Parallel Synchronization
// and Communication Instructions: bar, barrier". A barrier counts whole warps, so all threads of a warp that
// still run must reach it together; if they do not, the program is wrong and a GPU may hang.

#include "emulator/runner.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

bool reduces(ptx::Op op) {
  return op == ptx::Op::bar_red_popc || op == ptx::Op::bar_red_and || op == ptx::Op::bar_red_or;
}

bool takes_thread_count(ptx::Op op) {
  return op == ptx::Op::bar_sync || op == ptx::Op::bar_arrive || op == ptx::Op::barrier_sync ||
         op == ptx::Op::barrier_arrive || reduces(op);
}

bool only_arrives(ptx::Op op) { return op == ptx::Op::bar_arrive || op == ptx::Op::barrier_arrive; }

}  // namespace

void Runner::arrive(uint32_t warp) {
  WarpState& state = warps_[warp];
  Entry& now = state.stack.back();
  const Step& step = last_code_of(now.block);
  const ptx::Step& last = last_of(now.block);
  const uint32_t mask = executing(warp, step);
  const uint32_t next = now.block + 1;
  if (mask == 0) {
    now.block = next;
    return;
  }
  const int lane = std::countr_zero(mask);
  if (mask != state.alive) {
    state_.report(
        trace::HazardKind::DivergentBarrier, step, warp * kLanes + static_cast<uint32_t>(lane),
        fmt::format("{} of the {} running threads of this warp reach the barrier, the others are elsewhere; "
                    "move it out of the condition",
                    std::popcount(mask), std::popcount(state.alive)));
    return;
  }
  state.barrier = word_at(warp, step.source[0], lane) % kBarriers;
  state.threads =
      takes_thread_count(last.op) && last.source[1] != ptx::kNoSlot ? word_at(warp, step.source[1], lane) : 0;
  state.barrier_step = step.index;
  if (only_arrives(last.op)) {
    arrived_[state.barrier] += kLanes;
    if (state_.checker) state_.checker->arrive_at_barrier(state.barrier, warp);
    now.block = next;
    return;
  }
  state.status = Status::AtBarrier;
  // All that live are here, so nobody waits for anybody elsewhere.
  state.stack.assign(1, {.block = next, .reconvergence = ptx::Block::kNever, .mask = state.alive});
}

/// Whether all warps that live stand at the same barrier of all.
bool Runner::can_join() const {
  const WarpState* first = nullptr;
  for (const WarpState& warp : warps_) {
    if (warp.status == Status::Exited) continue;
    if (warp.status != Status::AtBarrier || warp.threads != 0) return false;
    if (first != nullptr && first->barrier_step != warp.barrier_step) return false;
    if (first == nullptr) first = &warp;
  }
  return first != nullptr;
}

bool Runner::release_barriers() {
  bool released = false;
  const auto live = static_cast<uint32_t>(
      std::ranges::count_if(warps_, [](const WarpState& warp) { return warp.status != Status::Exited; }));
  for (uint32_t barrier = 0; barrier < kBarriers; ++barrier) {
    std::vector<uint32_t> waiting;
    uint32_t expected = live * kLanes;
    for (uint32_t warp = 0; warp < code_.warps; ++warp) {
      if (warps_[warp].status != Status::AtBarrier || warps_[warp].barrier != barrier) continue;
      waiting.push_back(warp);
      if (warps_[warp].threads != 0) expected = warps_[warp].threads;
    }
    if (waiting.empty() || waiting.size() * kLanes + arrived_[barrier] < expected) continue;
    const uint32_t at = warps_[waiting.front()].barrier_step;
    if (reduces(program().steps[at].op)) reduce(code_.steps[at], waiting);
    for (const uint32_t warp : waiting) warps_[warp].status = Status::Ready;
    if (state_.checker && waiting.size() == live)
      state_.checker->pass_barrier();
    else if (state_.checker)
      state_.checker->pass_barrier(barrier, waiting);
    arrived_[barrier] = 0;
    released = true;
  }
  return released;
}

/// bar.red: every thread gets the number of threads whose predicate is true, or whether all or any are.
void Runner::reduce(const Step& step, const std::vector<uint32_t>& warps) {
  const ptx::Op op = program().steps[step.index].op;
  std::byte* const registers = state_.registers.get();
  uint32_t yes = 0;
  uint32_t threads = 0;
  for (const uint32_t warp : warps) {
    uint32_t mask = 0;
    std::memcpy(&mask, registers + step.source[2].offset + size_t{step.source[2].own} * warp, sizeof mask);
    if (step.negated & 4) mask = ~mask;
    yes += static_cast<uint32_t>(std::popcount(mask & warps_[warp].alive));
    threads += static_cast<uint32_t>(std::popcount(warps_[warp].alive));
  }
  for (const uint32_t warp : warps) {
    std::byte* const to = registers + step.destination[0].offset + size_t{step.destination[0].own} * warp;
    if (op == ptx::Op::bar_red_popc) {
      for (size_t lane = 0; lane < kLanes; ++lane) std::memcpy(to + lane * sizeof yes, &yes, sizeof yes);
    } else {
      const bool truth = op == ptx::Op::bar_red_and ? yes == threads : yes != 0;
      const uint32_t mask = truth ? kAllLanes.bits : 0;
      std::memcpy(to, &mask, sizeof mask);
    }
  }
}

void Runner::report_deadlock() {
  uint32_t waiting = 0;
  const WarpState* first = nullptr;
  uint32_t first_warp = 0;
  for (uint32_t warp = 0; warp < code_.warps; ++warp) {
    if (warps_[warp].status != Status::AtBarrier) continue;
    if (first == nullptr) {
      first = &warps_[warp];
      first_warp = warp;
    }
    waiting += warps_[warp].barrier == first->barrier;
  }
  if (first == nullptr) return;
  state_.report(
      trace::HazardKind::DivergentBarrier, code_.steps[first->barrier_step],
      first_warp * kLanes + static_cast<uint32_t>(std::countr_zero(first->alive)),
      fmt::format("deadlock: {} of {} warps wait at barrier {} for others that never come; let all threads "
                  "of the block reach the same barrier",
                  waiting, code_.warps, first->barrier));
}

}  // namespace lanescope::emulator
