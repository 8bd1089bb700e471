#include "emulator/values/detour.h"

#include "ptx/lower_passes.h"
#include "ptx/reconvergence.h"

#include <algorithm>

namespace lanescope::emulator {
namespace {

constexpr size_t kMostParts = 16;

/// True if the basic block only computes, accesses memory and branches: none of its steps waits, polls, calls
/// or ends.
bool passes(const ptx::Program& program, const ptx::BasicBlock& block) {
  for (uint32_t at = block.first; at < block.end; ++at) {
    const ptx::Step& step = program.steps[at];
    const bool is_branch = step.op == ptx::Op::bra && at + 1 == block.end;
    const bool leaves = ptx::ends_block(step.op) || ptx::traits_of(step.op).has(ptx::Trait::InScheduler);
    if ((leaves && !is_branch) || ptx::waits_for_members(step.op) ||
        ptx::may_poll(program.modifiers[step.modifiers], step.op))
      return false;
  }
  return true;
}

/// Basic blocks from the branch to `meet`, in the order of their positions. Empty if a path goes back, if a
/// block on it does not pass, or if there are more than kMostParts blocks.
std::vector<uint32_t> blocks_between(const ptx::Program& program, const ptx::Successors& successors,
                                     uint32_t branch, uint32_t meet) {
  const auto position = [&](uint32_t block) { return program.blocks[block].position; };
  std::vector<uint32_t> blocks{branch};
  for (size_t n = 0; n < blocks.size(); ++n) {
    for (const uint32_t next : successors[blocks[n]]) {
      if (position(next) <= position(blocks[n]) || position(next) > position(meet)) return {};
      if (next == meet || std::ranges::find(blocks, next) != blocks.end()) continue;
      if (!passes(program, program.blocks[next]) || blocks.size() == kMostParts) return {};
      blocks.push_back(next);
    }
  }
  std::ranges::sort(blocks, {}, position);
  blocks.push_back(meet);
  return blocks;
}

/// True if lanes that part at the first of the blocks may stay apart where paths meet at another of them.
bool may_stay_apart(const ptx::Program& program, const ptx::ConvergenceBarriers* barriers,
                    const std::vector<uint32_t>& blocks) {
  if (barriers == nullptr) return false;
  const auto& opened = barriers->opened[blocks.front()];
  return std::ranges::any_of(blocks, [&](uint32_t block) {
    if (block == blocks.front() || program.blocks[block].pending.empty()) return false;
    return std::ranges::none_of(barriers->at[block], [&](uint32_t barrier) {
      return barriers->open_at_start[barrier] || std::ranges::find(opened, barrier) != opened.end();
    });
  });
}

/// Basic blocks at which threads may wait while part n is executed: the last part, where all paths meet, and
/// each part after n to which a part before n leads.
std::vector<uint32_t> blocks_of_waiting(const Detour& detour, size_t n) {
  std::vector<uint32_t> blocks{detour.parts.back().block};
  for (size_t before = 0; before < n; ++before)
    for (const uint32_t next : {detour.parts[before].taken, detour.parts[before].next})
      if (next > n) blocks.push_back(detour.parts[next].block);
  return blocks;
}

/// True if a thread at the start of one of the basic blocks may read a destination of the step. The stack
/// pointer always counts as read.
bool is_needed(const ptx::Program& program, const ptx::Step& step, const std::vector<uint32_t>& blocks) {
  bool needed = false;
  ptx::for_each_destination(program, step, [&](ptx::Slot slot) {
    needed = needed || slot == program.stack;
    for (const uint32_t block : blocks) needed = needed || program.blocks[block].live[slot];
  });
  return needed;
}

}  // namespace

Detours find_detours(const ptx::Program& program, const ptx::ConvergenceBarriers* barriers) {
  const ptx::Successors successors = ptx::successors_of(program);
  const std::vector<uint32_t> meets = ptx::immediate_post_dominators(successors);
  Detours detours(program.blocks.size());
  for (uint32_t branch = 0; branch < program.blocks.size(); ++branch) {
    const ptx::BasicBlock& block = program.blocks[branch];
    if (block.first == block.end || meets[branch] == ptx::kExit) continue;
    const ptx::Step& last = program.steps[block.end - 1];
    if (last.op != ptx::Op::bra || last.guard == ptx::kNoSlot) continue;
    const std::vector<uint32_t> between = blocks_between(program, successors, branch, meets[branch]);
    if (between.empty() || may_stay_apart(program, barriers, between)) continue;
    Detour detour;
    const auto index_of = [&](uint32_t at) {
      return static_cast<uint32_t>(std::ranges::find(between, at) - between.begin());
    };
    for (const uint32_t at : between) {
      const ptx::BasicBlock& part = program.blocks[at];
      const ptx::Step* const end = part.first != part.end ? &program.steps[part.end - 1] : nullptr;
      const bool branches = end != nullptr && end->op == ptx::Op::bra;
      const uint32_t taken = index_of(branches ? static_cast<uint32_t>(end->immediate) : at + 1);
      const bool may_pass = branches && end->guard != ptx::kNoSlot;
      detour.parts.push_back({at, taken, may_pass ? index_of(at + 1) : taken});
    }
    detours[branch] = std::move(detour);
  }
  return detours;
}

std::vector<bool> find_free_destinations(const ptx::Program& program, const Detours& detours) {
  std::vector<bool> is_free(program.steps.size(), true);
  for (const std::optional<Detour>& detour : detours) {
    if (!detour) continue;
    for (size_t n = 1; n + 1 < detour->parts.size(); ++n) {
      const std::vector<uint32_t> waiting = blocks_of_waiting(*detour, n);
      const ptx::BasicBlock& part = program.blocks[detour->parts[n].block];
      for (uint32_t at = part.first; at < part.end; ++at)
        is_free[at] = is_free[at] && !is_needed(program, program.steps[at], waiting);
    }
  }
  return is_free;
}

}  // namespace lanescope::emulator
