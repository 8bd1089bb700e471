#include "emulator/runner.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace lanescope::emulator {
namespace {

constexpr uint64_t kCheckInterval = 1 << 16;  // warp instructions

uint32_t read_mask(const BlockState& state, const Operand& operand, uint32_t warp, bool as_group) {
  uint32_t mask = 0;
  std::memcpy(&mask,
              state.registers.get() + operand.offset + size_t{as_group ? operand.group : operand.own} * warp,
              sizeof mask);
  return mask;
}

}  // namespace

Runner::Runner(const Code& code, const Memory& memory, std::unique_ptr<Checker> checker,
               std::function<bool(uint64_t)> may_go_on)
    : code_(code),
      state_(code, memory, std::move(checker)),
      may_go_on_(std::move(may_go_on)),
      all_lanes_(code.warps, kAllLanes.bits),
      warps_(code.warps) {}

bool Runner::run(CtaId cta, trace::Sink& sink) {
  state_.begin(cta, sink);
  alive_ = state_.existing;
  group_block_ = 0;
  arrived_ = {};
  for (Outcome outcome = Outcome::Joined;;) {
    outcome = outcome == Outcome::Joined ? run_group() : run_warps();
    if (outcome == Outcome::Ended) {
      if (state_.checker) state_.checker->end_block();
      return check_in(kCheckInterval);
    }
    if (outcome == Outcome::Stopped) return false;
  }
}

void Runner::execute(uint32_t block, Warps& warps, uint64_t live_warps, uint64_t live_lanes) {
  const ptx::Block& now = program().blocks[block];
  const Step* const end = code_.steps.data() + now.end;
  for (const Step* step = code_.steps.data() + now.first; step != end; ++step) step->handler(warps, *step);
  const uint64_t steps = now.end - now.first;
  count_.warp += steps * live_warps;
  count_.lane += steps * live_lanes;
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
    execute(group_block_, warps, live_warps_, live_lanes_);
    if (state_.stopped || !check_in(kCheckInterval)) return Outcome::Stopped;
    const bool some_exit = last_of(group_block_).op == ptx::Op::exit;
    if (!go_on_as_group()) {
      part();
      for (uint32_t warp = 0; warp < code_.warps; ++warp)
        if (warps_[warp].status == Status::Ready) go_on(warp);
      return state_.stopped ? Outcome::Stopped : Outcome::Parted;
    }
    if (some_exit) count_lives();
  }
  return Outcome::Ended;
}

/// Does what the last step of the block says if all warps can do it alike; false, with nothing done, if not.
bool Runner::go_on_as_group() {
  const uint32_t block = group_block_;
  switch (last_of(block).op) {
    case ptx::Op::bra:
      return branch_as_group();
    case ptx::Op::exit:
      return exit_as_group();
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
      const uint32_t taken = (read_mask(state_, step.guard, warp, true) ^ flip) & alive_[warp];
      all = all && taken == alive_[warp];
      none = none && taken == 0;
    }
    if (!all && !none) return false;
  }
  group_block_ = all ? static_cast<uint32_t>(step.immediate) : group_block_ + 1;
  return true;
}

bool Runner::exit_as_group() {
  const Step& step = last_code_of(group_block_);
  const uint32_t flip = step.guard_negated ? kAllLanes.bits : 0;
  for (uint32_t warp = 0; warp < code_.warps; ++warp)
    alive_[warp] &= step.guarded ? ~(read_mask(state_, step.guard, warp, true) ^ flip) : 0;
  ++group_block_;
  return true;
}

bool Runner::pass_barrier_as_group() {
  const ptx::Step& last = last_of(group_block_);
  const bool for_all = last.op != ptx::Op::bar_arrive && last.op != ptx::Op::barrier_arrive &&
                       last.guard == ptx::kNoSlot &&
                       program().slots[last.source[0]].content != ptx::SlotContent::PerLane;
  const bool counts =
      (last.op == ptx::Op::bar_sync || last.op == ptx::Op::barrier_sync) && last.source[1] != ptx::kNoSlot;
  if (!for_all || counts) return false;
  if (last.op != ptx::Op::bar_sync && last.op != ptx::Op::barrier_sync) return false;
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
    WarpState& state = warps_[warp];
    state.alive = alive_[warp];
    state.status = state.alive != 0 ? Status::Ready : Status::Exited;
    state.stack.assign(1, {.block = group_block_, .reconvergence = ptx::Block::kNever, .mask = state.alive});
  }
}

/// From warps that all stand at the same block with all their lanes to a group. What a block computes once is
/// the same in every thread that lives; the group reads it in all lanes of the first warp.
void Runner::join() {
  uint32_t source = 0;
  while (warps_[source].alive == 0) ++source;
  const auto lane = static_cast<uint32_t>(std::countr_zero(warps_[source].alive));
  std::byte* const registers = state_.registers.get();
  for (const Operand& operand : code_.shared_by_warps) {
    std::byte* const first = registers + operand.offset;
    const size_t bytes = operand.own / kLanes;
    std::byte value[sizeof(uint64_t)];
    std::memcpy(value, first + size_t{operand.own} * source + bytes * lane, bytes);
    for (size_t l = 0; l < kLanes; ++l) std::memcpy(first + bytes * l, value, bytes);
  }
  for (const Operand& operand : code_.shared_predicates) {
    const uint32_t mask = read_mask(state_, operand, source, false) >> lane & 1 ? kAllLanes.bits : 0;
    std::memcpy(registers + operand.offset, &mask, sizeof mask);
  }
  for (uint32_t warp = 0; warp < code_.warps; ++warp) alive_[warp] = warps_[warp].alive;
  group_block_ = warps_[source].stack.back().block;
}

}  // namespace lanescope::emulator
