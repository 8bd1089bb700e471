// Blocks of straight-line code, what follows them, and where lanes that part at their end meet again. Behind
// a call follows what stands behind it; functions are pieces of the graph of their own.

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
  return op == Op::bra || op == Op::brx_idx || op == Op::exit || op == Op::trap || op == Op::call ||
         op == Op::ret || is_barrier(op);
}

std::optional<int> members_source(Op op) {
  switch (op) {
    case Op::bar_warp_sync:
    case Op::elect_sync:
      return 0;
    case Op::vote_sync:
    case Op::vote_sync_ballot:
    case Op::match_any_sync:
    case Op::match_all_sync:
    case Op::redux_sync:
      return 1;
    case Op::shfl_sync:
      return 3;
    case Op::ldmatrix:
    case Op::stmatrix:
    case Op::movmatrix:
    case Op::mma:
    case Op::mma_sp:
    case Op::wmma_load_a:
    case Op::wmma_load_b:
    case Op::wmma_load_c:
    case Op::wmma_mma:
    case Op::wmma_store_d:
      return kWholeWarp;
    default:
      return std::nullopt;
  }
}

bool may_poll(const Modifiers& modifiers, Op op) {
  switch (op) {
    case Op::ld:
      return modifiers.order != MemoryOrder::None && modifiers.order != MemoryOrder::Weak;
    case Op::atom:
    case Op::nanosleep:
    case Op::barrier_cluster_wait:
    case Op::mbarrier_test_wait:
    case Op::mbarrier_test_wait_parity:
    case Op::mbarrier_try_wait:
    case Op::mbarrier_try_wait_parity:
      return true;
    default:
      return false;
  }
}

bool never_falls_through(const Step& step) {
  return step.guard == kNoSlot && (step.op == Op::bra || step.op == Op::brx_idx || step.op == Op::exit ||
                                   step.op == Op::ret || step.op == Op::trap);
}

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
  const std::vector<uint32_t> meeting = immediate_post_dominators(successors);
  static_assert(kExit == BasicBlock::kNever);
  for (size_t n = 0; n < program.blocks.size(); ++n) program.blocks[n].reconvergence = meeting[n];
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
