// Basic blocks, their successors, and the order that says where diverged lanes reconverge. The successor of a
// call is the instruction after it; functions are separate parts of the graph.

#include "ptx/lower_passes.h"

#include <algorithm>
#include <utility>

namespace lanescope::ptx {

namespace {

bool calls_reach_barrier(const Program& program, const Step& step) {
  if (step.op != Op::call) return false;
  const Call& call = program.calls[step.list];
  if (call.kind == Call::Kind::Function)
    return program.blocks[program.functions[call.function].entry].reaches_barrier;
  return call.kind == Call::Kind::Pointer &&
         std::ranges::any_of(program.functions, [&](const ProgramFunction& function) {
           return function.address_taken && program.blocks[function.entry].reaches_barrier;
         });
}

}  // namespace

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
  for (const ProgramFunction& function : program.functions) starts[function.first_step] = true;
  std::vector<uint32_t> block_at(count);
  for (uint32_t n = 0; n < count; ++n) {
    if (starts[n]) program.blocks.push_back({.first = n, .end = n});
    ++program.blocks.back().end;
    block_at[n] = static_cast<uint32_t>(program.blocks.size() - 1);
  }
  for (ProgramFunction& function : program.functions) function.entry = block_at[function.first_step];
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
  BlockOrder order = order_blocks(successors);
  for (size_t n = 0; n < program.blocks.size(); ++n) {
    BasicBlock& block = program.blocks[n];
    block.position = order.position[n];
    block.round_end = order.round_end[n];
    block.pending = std::move(order.pending[n]);
    block.round_pending = std::move(order.round_pending[n]);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = program.blocks.size(); n-- > 0;) {
      BasicBlock& block = program.blocks[n];
      const bool reaches =
          is_barrier(program.steps[block.end - 1].op) ||
          std::ranges::any_of(successors[n],
                              [&](uint32_t next) { return program.blocks[next].reaches_barrier; }) ||
          calls_reach_barrier(program, program.steps[block.end - 1]);
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
