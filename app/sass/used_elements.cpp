#include "sass/used_elements.h"

#include <algorithm>

namespace lanescope::sass {
namespace {

bool reads(const ptx::Program& program, const ptx::Step& step, ptx::Slot slot) {
  bool found = false;
  ptx::for_each_source(program, step, [&](ptx::Slot source) { found = found || source == slot; });
  return found;
}

bool replaces(const ptx::Program& program, const ptx::Step& step, ptx::Slot slot) {
  bool found = false;
  ptx::for_each_destination(program, step, [&](ptx::Slot written) { found = found || written == slot; });
  return found && step.guard == ptx::kNoSlot;
}

bool is_used(const ptx::Program& program, const ptx::Successors& successors, uint32_t block, uint32_t step,
             ptx::Slot slot) {
  for (uint32_t n = step + 1; n < program.blocks[block].end; ++n) {
    if (reads(program, program.steps[n], slot)) return true;
    if (replaces(program, program.steps[n], slot)) return false;
  }
  return std::ranges::any_of(successors[block], [&](uint32_t next) {
    const std::vector<bool>& live = program.blocks[next].live;
    return slot < live.size() && live[slot];
  });
}

}  // namespace

std::optional<UsedElements> used_elements(const ptx::Program& program, const ptx::Successors& successors,
                                          uint32_t block, uint32_t step) {
  const ptx::Step& load = program.steps[step];
  UsedElements used{.first = load.list_written};
  for (uint32_t n = 0; n < load.list_written; ++n) {
    const auto slot = static_cast<ptx::Slot>(program.lists[load.list + n]);
    if (slot == ptx::kNoSlot || !is_used(program, successors, block, step, slot)) continue;
    used.first = std::min(used.first, n);
    used.end = n + 1;
  }
  if (used.end == 0) return std::nullopt;
  return used;
}

}  // namespace lanescope::sass
