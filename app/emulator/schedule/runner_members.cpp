// Instructions that lanes of a warp execute together: shuffles, votes, matches and the like wait until all
// lanes of their member mask that still live stand at them, and are executed once for all of these. Lanes
// that stand at different bar.warp.sync meet too, for nothing passes between them. Source: PTX ISA, "Data
// Movement: shfl.sync", "Parallel Synchronization: vote.sync, match.sync, redux.sync, bar.warp.sync"; CUDA
// C++ Programming Guide, "Warp Shuffle Functions". Tests: tests/unit/emulator/scheduling_test.cpp

#include "emulator/schedule/runner.h"

#include <bit>

namespace lanescope::emulator {

/// All lanes that `lanes`, which execute the step, want there.
uint32_t Runner::members_of(uint32_t warp, uint32_t step, uint32_t lanes) const {
  if (lanes == 0) return 0;
  const auto source = ptx::members_source(program().steps[step].op);
  if (!source) return lanes_[warp].alive();
  uint32_t members = 0;
  for_each_lane({lanes}, [&](int lane) {
    members |= static_cast<uint32_t>(word_at(warp, code_.steps[step].source[*source], lane));
  });
  return members & lanes_[warp].alive();
}

/// Lets leaves go on that wait for members which are all there now. Whether there were any.
bool Runner::gather_members(uint32_t warp) {
  LaneTree& lanes = lanes_[warp];
  for (const Index first : lanes.leaves()) {
    if (lanes[first].state != LaneTree::State::AtMembers) continue;
    const uint32_t at = lanes[first].step;
    const bool only_meets = program().steps[at].op == ptx::Op::bar_warp_sync;
    // Those who are at the instruction; without those who miss somebody, until nobody does.
    std::vector<Index> here;
    for (const Index leaf : lanes.leaves()) {
      if (lanes[leaf].state == LaneTree::State::AtMembers &&
          (lanes[leaf].step == at ||
           (only_meets && program().steps[lanes[leaf].step].op == ptx::Op::bar_warp_sync)))
        here.push_back(leaf);
    }
    const auto lanes_at = [&](Index leaf) {
      return executing(warp, lanes[leaf], code_.steps[lanes[leaf].step]);
    };
    for (bool complete = false; !complete;) {
      uint32_t there = 0;
      for (const Index leaf : here) there |= lanes_at(leaf);
      complete = std::erase_if(here, [&](Index leaf) {
                   return (members_of(warp, lanes[leaf].step, lanes_at(leaf)) & ~there) != 0;
                 }) == 0;
    }
    if (here.empty()) continue;
    uint32_t mask = 0;
    for (const Index leaf : here) mask |= lanes[leaf].mask;
    Warps warps{.block = state_,
                .registers = state_.registers.get(),
                .first = warp,
                .count = 1,
                .whole = mask == lanes.alive(),
                .active = &mask,
                .once_active = &mask};
    execute(at, at + 1, warps, 1, static_cast<uint64_t>(std::popcount(mask)), nullptr);
    for (const Index leaf : here) {
      ++lanes[leaf].step;
      lanes[leaf].state = LaneTree::State::Ready;
      lanes[leaf].turns = 0;
    }
    for (size_t n = here.size(); n-- > 1;) {
      for (size_t other = 0; other < n; ++other)
        if (lanes.join(here[other], here[n])) break;
    }
    return true;
  }
  return false;
}

}  // namespace lanescope::emulator
