#include "emulator/schedule/member_steps.h"

#include <array>
#include <bit>

namespace lanescope::emulator {

uint32_t MemberSteps::members_of(uint32_t warp, uint32_t step, uint32_t lanes) const {
  if (lanes == 0) return 0;
  const auto source = ptx::members_source(program().steps[step].op);
  if (!source) return lanes_[warp].alive();
  uint32_t members = 0;
  for_each_lane({lanes}, [&](int lane) {
    members |= static_cast<uint32_t>(executor_.word_at(warp, code_.steps[step].source[*source], lane));
  });
  return members & lanes_[warp].alive();
}

/// Reports member masks at bar.warp.sync to the observer. `there`: the lanes of all `leaves`.
void MemberSteps::check_masks(uint32_t warp, std::span<const Index> leaves, uint32_t there) const {
  const BlockState& state = executor_.state();
  if (state.observer == nullptr) return;
  for (const Index index : leaves) {
    const LaneTree::Node& leaf = lanes_[warp][index];
    const uint32_t lanes = executor_.executing(warp, leaf.mask, code_.steps[leaf.step]);
    std::array<uint32_t, kLanes> masks{};
    for_each_lane({lanes}, [&](int lane) {
      masks[static_cast<size_t>(lane)] =
          static_cast<uint32_t>(executor_.word_at(warp, code_.steps[leaf.step].source[0], lane));
    });
    state.observer->on_member_masks(leaf.step, warp, lanes, masks, state.existing[warp] & ~(there & ~lanes));
  }
}

bool MemberSteps::gather(uint32_t warp) {
  LaneTree& lanes = lanes_[warp];
  for (const Index first : lanes.leaves()) {
    if (lanes[first].state != LaneTree::State::AtMembers) continue;
    const uint32_t at = lanes[first].step;
    const bool only_meets = program().steps[at].op == ptx::Op::bar_warp_sync;
    // The leaves at the instruction; those that miss a member are taken out until none does.
    std::vector<Index> here;
    for (const Index leaf : lanes.leaves()) {
      if (lanes[leaf].state == LaneTree::State::AtMembers &&
          (lanes[leaf].step == at ||
           (only_meets && program().steps[lanes[leaf].step].op == ptx::Op::bar_warp_sync)))
        here.push_back(leaf);
    }
    const auto lanes_at = [&](Index leaf) {
      return executor_.executing(warp, lanes[leaf].mask, code_.steps[lanes[leaf].step]);
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
    if (only_meets) check_masks(warp, here, mask);
    Warps warps = executor_.one_warp(warp, mask, mask == lanes.alive() && !only_meets);
    executor_.execute(at, at + 1, warps, 1, static_cast<uint64_t>(std::popcount(mask)), nullptr);
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
