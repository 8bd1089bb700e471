#include "emulator/schedule/lane_control.h"

#include "emulator/schedule/built_in_calls.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <fmt/format.h>

namespace lanescope::emulator {
bool LaneControl::go_on(uint32_t warp, Index index) {
  lanes_[warp].open_barriers(index);
  Node& leaf = lanes_[warp][index];
  const Step& step = executor_.last_code_of(leaf.block);
  switch (executor_.last_of(leaf.block).op) {
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
      const uint32_t leaving = executor_.executing(warp, leaf.mask, step);
      if (leaving != leaf.mask) go_to(leaf, leaf.block + 1, program());
      lanes_[warp].exit(leaving);
      state_.exited += static_cast<uint64_t>(std::popcount(leaving));
      return false;
    }
    case ptx::Op::trap:
      if (const uint32_t lanes = executor_.executing(warp, leaf.mask, step); lanes != 0) {
        state_.report(trace::HazardKind::Trap, step, thread_of(warp, lanes),
                      "stops the kernel with a trap, as a failed assertion does");
      }
      go_to(leaf, leaf.block + 1, program());
      return true;
    default:
      if (!ptx::is_barrier(executor_.last_of(leaf.block).op)) {
        go_to(leaf, leaf.block + 1, program());
        return true;
      }
      barriers_.arrive(warp, index);
      return false;
  }
}

bool LaneControl::branch(uint32_t warp, Index index) {
  Node& leaf = lanes_[warp][index];
  const Step& step = executor_.last_code_of(leaf.block);
  const auto target = static_cast<uint32_t>(step.immediate);
  const uint32_t taken = executor_.executing(warp, leaf.mask, step);
  const uint32_t others = leaf.mask & ~taken;
  if (others == 0 || taken == 0) {
    go_to(leaf, others == 0 ? target : leaf.block + 1, program());
    return true;
  }
  const std::array<LaneTree::Part, 2> parts{{{target, taken}, {leaf.block + 1, others}}};
  lanes_[warp].diverge(index, parts, program());
  return false;
}

void LaneControl::branch_by_table(uint32_t warp, Index index) {
  const Node& leaf = lanes_[warp][index];
  const Step& step = executor_.last_code_of(leaf.block);
  const ptx::Step& last = executor_.last_of(leaf.block);
  const uint32_t taken = executor_.executing(warp, leaf.mask, step);
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
    const uint64_t entry = executor_.word_at(warp, step.source[0], std::countr_zero(rest));
    uint32_t same = 0;
    for_each_lane({rest}, [&](int lane) {
      same |= uint32_t{executor_.word_at(warp, step.source[0], lane) == entry} << lane;
    });
    rest &= ~same;
    if (entry >= static_cast<uint32_t>(last.immediate)) {
      state_.report(trace::HazardKind::OutOfBounds, step, thread_of(warp, same),
                    "jumps by an index beyond the end of its branch table; check the index");
      return;
    }
    go(program().lists[last.list + static_cast<uint32_t>(entry)], same);
  }
  lanes_[warp].diverge(index, parts, program());
}

void LaneControl::call(uint32_t warp, Index index) {
  Node& leaf = lanes_[warp][index];
  const Step& step = executor_.last_code_of(leaf.block);
  const ptx::Call& call = program().calls[executor_.last_of(leaf.block).list];
  const uint32_t lanes = executor_.executing(warp, leaf.mask, step);
  if (lanes == 0 || call.kind != ptx::Call::Kind::Function) {
    if (lanes != 0 && call.kind == ptx::Call::Kind::Pointer) return call_by_pointer(warp, index, step, lanes);
    if (lanes != 0) call_built_in(executor_, warp, step, lanes);
    go_to(leaf, leaf.block + 1, program());
    return;
  }
  frames_.enter(warp, index, call.function, lanes, step);
}

/// Lanes with the same pointer enter the function together; all reconverge after the call.
void LaneControl::call_by_pointer(uint32_t warp, Index index, const Step& step, uint32_t lanes) {
  LaneTree& tree = lanes_[warp];
  const uint32_t return_block = tree[index].block + 1;
  std::vector<std::pair<uint32_t, uint32_t>> calls;  // function, lanes
  for (uint32_t rest = lanes; rest != 0;) {
    const uint64_t pointer = executor_.word_at(warp, step.source[0], std::countr_zero(rest));
    uint32_t same = 0;
    for_each_lane({rest}, [&](int lane) {
      same |= uint32_t{executor_.word_at(warp, step.source[0], lane) == pointer} << lane;
    });
    rest &= ~same;
    const auto& functions = program().functions;
    const auto found = std::ranges::find_if(functions, [&](const ptx::ProgramFunction& one) {
      return one.address_taken && pointer == ptx::function_address(one.number);
    });
    if (found == functions.end()) {
      state_.report(
          trace::HazardKind::OutOfBounds, step, thread_of(warp, same),
          fmt::format("calls a function at address {:#x}, where there is none; check the pointer", pointer));
      return;
    }
    calls.emplace_back(static_cast<uint32_t>(found - functions.begin()), same);
  }
  if (calls.size() == 1) {
    frames_.enter(warp, index, calls[0].first, lanes, step);
    return;
  }
  // A leaf for each function, which calls it; lanes that do not call are past it already.
  std::vector<uint32_t> masks;
  for (const auto& [function, same] : calls) masks.push_back(same);
  const uint32_t others = tree[index].mask & ~lanes;
  if (others != 0) masks.push_back(others);
  const std::vector<Index> leaves = tree.split(index, masks);
  if (others != 0) go_to(tree[leaves.back()], return_block, program());
  for (size_t n = 0; n < calls.size(); ++n)
    if (!frames_.enter(warp, leaves[n], calls[n].first, calls[n].second, step)) return;
}

void LaneControl::leave(uint32_t warp, Index index) {
  LaneTree& tree = lanes_[warp];
  Node& leaf = tree[index];
  const uint32_t lanes = executor_.executing(warp, leaf.mask, executor_.last_code_of(leaf.block));
  go_to(leaf, std::min(leaf.block + 1, static_cast<uint32_t>(program().blocks.size() - 1)), program());
  if (lanes == 0) return;
  frames_.restore(warp, leaf.caller, lanes);
  tree.leave_function(index, lanes);
}

}  // namespace lanescope::emulator
