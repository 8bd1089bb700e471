// What the last step of a block does to a group of lanes: jumps, calls, returns, ends.
// Method: a call is a node of the warp's LaneTree, and the callee's lanes a leaf below it. Every function has
// registers of its own; where calls form a cycle, the callee may be running already further up, so the
// registers of the lanes that enter it are kept with the call and brought back when they return. Source: PTX
// ISA, "Control Flow Instructions". Tests: tests/unit/emulator/{divergence,call}_test.cpp

#include "emulator/schedule/runner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

/// What recursion may keep of registers, in all warps of a block together.
constexpr uint64_t kMaximumKeptBytes = uint64_t{512} << 20;
/// A frame takes at least this much of the stack: where to return to.
constexpr uint64_t kSmallestFrame = 16;
constexpr uint64_t kLargestAccess = 16;  // of one lane, in bytes: the checks count no larger pieces

constexpr uint32_t thread_of(uint32_t warp, uint32_t lanes) {
  return warp * kLanes + static_cast<uint32_t>(std::countr_zero(lanes));
}

}  // namespace

uint32_t Runner::executing(uint32_t warp, const Node& leaf, const Step& step) const {
  if (!step.guarded) return leaf.mask;
  const uint32_t guard = mask_at(step.guard, warp);
  return leaf.mask & (step.guard_negated ? ~guard : guard);
}

/// The low 32 bits of a register of 32, all of one of 64.
uint64_t Runner::word_at(uint32_t warp, const Operand& operand, int lane) const {
  uint64_t word = 0;
  const size_t bytes = operand.own != 0 ? operand.own / size_t{kLanes} : sizeof(uint32_t);
  const size_t stride = is_group_ ? operand.group : operand.own;
  std::memcpy(&word,
              state_.registers.get() + operand.offset + stride * warp + bytes * static_cast<size_t>(lane),
              bytes);
  return word;
}

void Runner::go_to(Node& leaf, uint32_t block) const {
  leaf.block = block;
  leaf.step = program().blocks[block].first;
}

/// Does what the last step of the leaf's block says; whether the same lanes go on.
bool Runner::go_on(uint32_t warp, Index index) {
  Node& leaf = lanes_[warp][index];
  const Step& step = last_code_of(leaf.block);
  switch (last_of(leaf.block).op) {
    case ptx::Op::bra:
      return branch(warp, index);
    case ptx::Op::brx_idx:
      branch_by_table(warp, index);
      return false;
    case ptx::Op::call:
      call(warp, index);
      return false;
    case ptx::Op::ret:
      leave(warp, index);
      return false;
    case ptx::Op::exit: {
      const uint32_t leaving = executing(warp, leaf, step);
      if (leaving != leaf.mask) go_to(leaf, leaf.block + 1);
      lanes_[warp].exit(leaving);
      state_.exited += static_cast<uint64_t>(std::popcount(leaving));
      return false;
    }
    case ptx::Op::trap:
      if (const uint32_t lanes = executing(warp, leaf, step); lanes != 0) {
        state_.report(trace::HazardKind::Trap, step, thread_of(warp, lanes),
                      "the kernel stops itself with a trap, as a failed assertion does");
      }
      go_to(leaf, leaf.block + 1);
      return true;
    default:
      if (!ptx::is_barrier(last_of(leaf.block).op)) {
        go_to(leaf, leaf.block + 1);
        return true;
      }
      arrive(warp, index);
      return false;
  }
}

bool Runner::branch(uint32_t warp, Index index) {
  Node& leaf = lanes_[warp][index];
  const Step& step = last_code_of(leaf.block);
  const auto target = static_cast<uint32_t>(step.immediate);
  const uint32_t taken = executing(warp, leaf, step);
  const uint32_t others = leaf.mask & ~taken;
  if (others == 0 || taken == 0) {
    go_to(leaf, others == 0 ? target : leaf.block + 1);
    return true;
  }
  const uint32_t meeting = program().blocks[leaf.block].reconvergence;
  // The last part runs first. If both ways only meet at the exit, that is the one that cannot wait for the
  // other at a barrier.
  std::array<LaneTree::Part, 2> parts{{{target, taken}, {leaf.block + 1, others}}};
  if (meeting == ptx::BasicBlock::kNever && program().blocks[parts[1].block].reaches_barrier &&
      !program().blocks[parts[0].block].reaches_barrier)
    std::swap(parts[0], parts[1]);
  lanes_[warp].part(index, meeting, parts, program());
  return false;
}

void Runner::branch_by_table(uint32_t warp, Index index) {
  const Node& leaf = lanes_[warp][index];
  const Step& step = last_code_of(leaf.block);
  const ptx::Step& last = last_of(leaf.block);
  const uint32_t taken = executing(warp, leaf, step);
  std::vector<LaneTree::Part> parts;
  const auto go = [&](uint32_t block, uint32_t lanes) {
    const auto same = std::ranges::find(parts, block, &LaneTree::Part::block);
    if (same != parts.end()) {
      same->mask |= lanes;
    } else {
      parts.push_back({block, lanes});
    }
  };
  if (const uint32_t others = leaf.mask & ~taken; others != 0) go(leaf.block + 1, others);
  for (uint32_t rest = taken; rest != 0;) {
    const uint64_t entry = word_at(warp, step.source[0], std::countr_zero(rest));
    uint32_t same = 0;
    for_each_lane({rest},
                  [&](int lane) { same |= uint32_t{word_at(warp, step.source[0], lane) == entry} << lane; });
    rest &= ~same;
    if (entry >= static_cast<uint32_t>(last.immediate)) {
      state_.report(trace::HazardKind::OutOfBounds, step, thread_of(warp, same),
                    "jumps by an index beyond the end of its branch table; check the index");
      return;
    }
    go(program().lists[last.list + static_cast<uint32_t>(entry)], same);
  }
  lanes_[warp].part(index, program().blocks[leaf.block].reconvergence, parts, program());
}

void Runner::call(uint32_t warp, Index index) {
  Node& leaf = lanes_[warp][index];
  const Step& step = last_code_of(leaf.block);
  const ptx::Call& call = program().calls[last_of(leaf.block).list];
  const uint32_t lanes = executing(warp, leaf, step);
  if (lanes == 0 || call.kind != ptx::Call::Kind::Function) {
    if (lanes != 0 && call.kind == ptx::Call::Kind::Pointer) return call_by_pointer(warp, index, step, lanes);
    if (lanes != 0) call_built_in(warp, step, lanes);
    go_to(leaf, leaf.block + 1);
    return;
  }
  enter(warp, index, call.function, lanes, step);
}

/// Lanes with the same pointer enter the function together; all meet behind the call.
void Runner::call_by_pointer(uint32_t warp, Index index, const Step& step, uint32_t lanes) {
  LaneTree& tree = lanes_[warp];
  const uint32_t behind = tree[index].block + 1;
  const uint32_t block = tree[index].block;
  std::vector<std::pair<uint32_t, uint32_t>> calls;  // function, lanes
  for (uint32_t rest = lanes; rest != 0;) {
    const uint64_t pointer = word_at(warp, step.source[0], std::countr_zero(rest));
    uint32_t same = 0;
    for_each_lane(
        {rest}, [&](int lane) { same |= uint32_t{word_at(warp, step.source[0], lane) == pointer} << lane; });
    rest &= ~same;
    const auto function = static_cast<uint32_t>(pointer);
    const bool exists = pointer == ptx::function_address(function) && function < program().functions.size() &&
                        program().functions[function].address_taken;
    if (!exists) {
      state_.report(
          trace::HazardKind::OutOfBounds, step, thread_of(warp, same),
          fmt::format("calls a function at address {:#x}, where there is none; check the pointer", pointer));
      return;
    }
    calls.emplace_back(function, same);
  }
  if (calls.size() == 1) {
    enter(warp, index, calls[0].first, lanes, step);
    return;
  }
  // A leaf for each function, at the call, and then each calls; those who do not call are behind it already.
  std::vector<LaneTree::Part> parts;
  for (const auto& [function, same] : calls) parts.push_back({block, same});
  if (const uint32_t others = tree[index].mask & ~lanes; others != 0) parts.push_back({behind, others});
  const size_t before = tree.leaves().size() - 1;
  tree.part(index, behind, parts, program());
  const std::vector<Index> leaves(tree.leaves().begin() + static_cast<ptrdiff_t>(before),
                                  tree.leaves().end());
  for (size_t n = 0; n < calls.size(); ++n)
    if (!enter(warp, leaves[n], calls[n].first, calls[n].second, step)) return;
}

/// False if the stack is full.
bool Runner::enter(uint32_t warp, Index index, uint32_t function, uint32_t lanes, const Step& step) {
  LaneTree& tree = lanes_[warp];
  const ptx::Call& call = program().calls[program().steps[step.index].list];
  const ptx::ProgramFunction& callee = program().functions[function];
  if (program().recursive) {
    uint64_t top = 0;
    for_each_lane({lanes}, [&](int lane) {
      top = std::max(top, word_at(warp, step.source[1], lane) + call.frame_offset + callee.frame_bytes);
    });
    const uint32_t depth = tree.depth(index) + 1;
    if (top + depth * kSmallestFrame > program().frame_bytes ||
        tree.kept_bytes() * code_.warps > kMaximumKeptBytes) {
      state_.report(trace::HazardKind::StackOverflow, step, thread_of(warp, lanes),
                    fmt::format("stack overflow: function {} is called {} deep, which takes more than the {} "
                                "KiB of stack of a thread; end the recursion earlier, or write it as a loop",
                                callee.name, depth, program().frame_bytes >> 10));
      return false;
    }
    state_.local.use(top);
  }
  const uint32_t behind = tree[index].block + 1;
  tree.call(index, behind, function, lanes, program());
  if (call.may_recur) keep_registers(warp, function, index);
  begin_frame(warp, function, lanes, step);
  return true;
}

void Runner::leave(uint32_t warp, Index index) {
  LaneTree& tree = lanes_[warp];
  Node& leaf = tree[index];
  const uint32_t lanes = executing(warp, leaf, last_code_of(leaf.block));
  go_to(leaf, std::min(leaf.block + 1, static_cast<uint32_t>(program().blocks.size() - 1)));
  if (lanes == 0) return;
  if (const Node& call = tree[leaf.caller]; call.keeps) {
    bring_back_registers(warp, leaf.caller, lanes);
    if (HistoryRecorder* const history = history_of(warp))
      history->bring_back(leaf.caller, call.function, {lanes});
  }
  tree.leave_function(index, lanes);
}

/// The callee's frame begins behind what the caller uses.
void Runner::begin_frame(uint32_t warp, uint32_t function, uint32_t lanes, const Step& step) {
  const CodeFunction& callee = code_.functions[function];
  if (!callee.has_frame) return;
  const ptx::Call& call = program().calls[program().steps[step.index].list];
  const uint32_t offset = call.frame_offset;
  const uint64_t frame_bytes = program().functions[function].frame_bytes;
  const auto at = [&](const Operand& operand) {
    const size_t stride = is_group_ ? operand.group : operand.own;
    return state_.registers.get() + operand.offset + stride * warp;
  };
  const std::byte* const from = at(step.source[1]);
  std::byte* const to = at(callee.frame);
  for_each_lane({lanes}, [&](int lane) {
    uint64_t begin = 0;
    std::memcpy(&begin, from + sizeof begin * static_cast<size_t>(lane), sizeof begin);
    begin += offset;
    std::memcpy(to + sizeof begin * static_cast<size_t>(lane), &begin, sizeof begin);
    // What an earlier call left there is no value of this one's; what the caller passes is.
    const uint64_t locals = (begin + call.size_bytes + kLargestAccess - 1) / kLargestAccess * kLargestAccess;
    if (state_.checker && locals < begin + frame_bytes)
      state_.checker->local().forget(warp, lane, locals, begin + frame_bytes - locals);
  });
}

/// [register of the callee][lane], of the whole warp.
void Runner::keep_registers(uint32_t warp, uint32_t function, Index call) {
  std::vector<std::byte> kept;
  for (const Operand& operand : code_.functions[function].registers) {
    const std::byte* const from = state_.registers.get() + operand.offset + size_t{operand.own} * warp;
    kept.insert(kept.end(), from, from + operand.own);
  }
  lanes_[warp].keep(call, std::move(kept));
  if (HistoryRecorder* const history = history_of(warp)) history->keep(call);
}

void Runner::bring_back_registers(uint32_t warp, Index call, uint32_t lanes) {
  const LaneTree& tree = lanes_[warp];
  const std::byte* from = tree.kept(call).data();
  for (const Operand& operand : code_.functions[tree[call].function].registers) {
    std::byte* const to = state_.registers.get() + operand.offset + size_t{operand.own} * warp;
    if (operand.own == sizeof(uint32_t)) {
      uint32_t kept = 0;
      uint32_t now = 0;
      std::memcpy(&kept, from, sizeof kept);
      std::memcpy(&now, to, sizeof now);
      now = (now & ~lanes) | (kept & lanes);
      std::memcpy(to, &now, sizeof now);
    } else {
      const size_t bytes = operand.own / size_t{kLanes};
      for_each_lane({lanes}, [&](int lane) {
        const size_t at = bytes * static_cast<size_t>(lane);
        std::memcpy(to + at, from + at, bytes);
      });
    }
    from += operand.own;
  }
}

}  // namespace lanescope::emulator
