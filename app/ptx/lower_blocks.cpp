// Blocks of straight-line code, what follows them, and where lanes that part at their end meet again.

#include "ptx/lower_passes.h"

#include <algorithm>

namespace lanescope::ptx {

bool is_barrier(Op op) {
  switch (op) {
    case Op::bar_sync:
    case Op::bar_arrive:
    case Op::bar_red_popc:
    case Op::bar_red_and:
    case Op::bar_red_or:
    case Op::barrier_sync:
    case Op::barrier_arrive:
      return true;
    default:
      return false;
  }
}

bool ends_block(Op op) {
  return op == Op::bra || op == Op::brx_idx || op == Op::exit || op == Op::trap || is_barrier(op);
}

bool never_falls_through(const Step& step) {
  return step.guard == kNoSlot &&
         (step.op == Op::bra || step.op == Op::brx_idx || step.op == Op::exit || step.op == Op::trap);
}

void find_blocks(Program& program) {
  const auto count = static_cast<uint32_t>(program.steps.size());
  std::vector<bool> starts(count + 1);
  starts[0] = true;
  for (uint32_t n = 0; n < count; ++n) {
    const Step& step = program.steps[n];
    if (ends_block(step.op)) starts[n + 1] = true;
    if (step.op == Op::bra) starts[static_cast<uint32_t>(step.immediate)] = true;
    if (step.op == Op::brx_idx) {
      for (int32_t i = 0; i < step.immediate; ++i)
        starts[program.lists[step.list + static_cast<uint32_t>(i)]] = true;
    }
  }
  std::vector<uint32_t> block_at(count);
  for (uint32_t n = 0; n < count; ++n) {
    if (starts[n]) program.blocks.push_back({.first = n, .end = n});
    ++program.blocks.back().end;
    block_at[n] = static_cast<uint32_t>(program.blocks.size() - 1);
  }
  for (Step& step : program.steps) {
    if (step.op == Op::bra)
      step.immediate = static_cast<int32_t>(block_at[static_cast<uint32_t>(step.immediate)]);
    if (step.op == Op::brx_idx) {
      for (int32_t i = 0; i < step.immediate; ++i) {
        uint32_t& target = program.lists[step.list + static_cast<uint32_t>(i)];
        target = block_at[target];
      }
    }
  }

  const Successors successors = successors_of(program);
  const std::vector<uint32_t> meeting = immediate_post_dominators(successors);
  static_assert(kExit == Block::kNever);
  for (size_t n = 0; n < program.blocks.size(); ++n) program.blocks[n].reconvergence = meeting[n];
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = program.blocks.size(); n-- > 0;) {
      Block& block = program.blocks[n];
      const bool reaches = is_barrier(program.steps[block.end - 1].op) ||
                           std::ranges::any_of(successors[n], [&](uint32_t next) {
                             return program.blocks[next].reaches_barrier;
                           });
      changed |= reaches != block.reaches_barrier;
      block.reaches_barrier = reaches;
    }
  }
}

Successors successors_of(const Program& program) {
  Successors successors(program.blocks.size());
  for (uint32_t n = 0; n < program.blocks.size(); ++n) {
    const Step& last = program.steps[program.blocks[n].end - 1];
    std::vector<uint32_t>& next = successors[n];
    const auto add = [&](uint32_t block) {
      if (std::ranges::find(next, block) == next.end()) next.push_back(block);
    };
    if (!never_falls_through(last) && n + 1 < program.blocks.size()) add(n + 1);
    if (last.op == Op::bra) add(static_cast<uint32_t>(last.immediate));
    if (last.op == Op::brx_idx) {
      for (int32_t i = 0; i < last.immediate; ++i) add(program.lists[last.list + static_cast<uint32_t>(i)]);
    }
  }
  return successors;
}

}  // namespace lanescope::ptx
