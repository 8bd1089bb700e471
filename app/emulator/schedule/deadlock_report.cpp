#include "emulator/schedule/deadlock_report.h"

#include "emulator/schedule/barriers.h"
#include "emulator/values/culprit.h"
#include "ptx/own_place.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

constexpr std::string_view kEndless =
    "is in a loop without an end: nothing that it reads or computes changes any more; look at its condition";
constexpr std::string_view kEndlessCalls =
    "is in a recursion without an end: functions call each other, and nothing that they read or compute "
    "changes any more, so that on a device the stack overflows; look at the condition that ends it";
constexpr uint32_t kDeepCalls = 32;

}  // namespace

std::string DeadlockReport::describe_group(uint32_t block) const {
  return fmt::format("all warps at {}", place_of(telling_step(block)));
}

std::string DeadlockReport::place_of(uint32_t step) const {
  const ptx::Origin& origin = program().origins[step];
  const int line = ptx::own_place_of(origin).where.line;
  return line != 0 ? fmt::format("line {}", line) : fmt::format("PTX line {}", origin.ptx_line);
}

/// Step that describes a basic block best in a message: the first that may poll, else the last.
uint32_t DeadlockReport::telling_step(uint32_t block) const {
  const ptx::BasicBlock& where = program().blocks[block];
  for (uint32_t at = where.first; at < where.end; ++at) {
    const ptx::Step& step = program().steps[at];
    if (ptx::may_poll(program().modifiers[step.modifiers], step.op)) return at;
  }
  return where.end - 1;
}

/// True if the loop around the basic block may wait for other threads.
bool DeadlockReport::polls(uint32_t block) const {
  // Leaves note polls for one turn only, so this guesses from the basic blocks near the anchor.
  const size_t last = std::min<size_t>(block + 4, code_.polls.size());
  for (size_t n = block >= 4 ? block - 4 : 0; n < last; ++n)
    if (code_.polls[n]) return true;
  return false;
}

std::string DeadlockReport::describe(const LaneTree& lanes, Index index) const {
  const Node& leaf = lanes[index];
  const std::string lanes_here = name_lanes(leaf.mask);
  switch (leaf.state) {
    case LaneTree::State::AtBarrier:
      return fmt::format("{} at barrier {} ({})", lanes_here, leaf.barrier, place_of(leaf.barrier_step));
    case LaneTree::State::AtMembers:
      return fmt::format("{} before {} ({})", lanes_here, ptx::name_of(program().steps[leaf.step].op),
                         place_of(leaf.step));
    default:
      return fmt::format("{} at {}", lanes_here, place_of(telling_step(leaf.block)));
  }
}

/// The lanes that wait for the leaf at their reconvergence point; empty where there are none.
std::string DeadlockReport::describe_waiting(const LaneTree& lanes, Index index) const {
  const LaneTree::Part waiting = lanes.waiting_for(index, program());
  if (waiting.mask == 0) return {};
  return fmt::format("{} wait{} for {} at {}", name_lanes(waiting.mask),
                     std::has_single_bit(waiting.mask) ? "s" : "",
                     std::has_single_bit(lanes[index].mask) ? "it" : "them",
                     place_of(program().blocks[waiting.block].first));
}

std::string DeadlockReport::describe_warps() const {
  constexpr uint32_t kMost = 4;
  std::string text;
  uint32_t shown = 0;
  uint32_t more = 0;
  for (uint32_t warp = 0; warp < code_.warps; ++warp) {
    for (const Index leaf : lanes_[warp].leaves()) {
      if (lanes_[warp].waits(leaf, program())) continue;
      if (shown == kMost) {
        ++more;
        continue;
      }
      text += fmt::format("{}warp {}: {}", shown++ == 0 ? "" : ", ", warp, describe(lanes_[warp], leaf));
    }
  }
  if (more != 0) text += fmt::format(", and {} more groups of lanes", more);
  return text;
}

void DeadlockReport::report_deadlock() {
  constexpr auto kKind = trace::HazardKind::DivergentBarrier;
  uint32_t waiting = 0;
  const Node* first = nullptr;
  uint32_t first_warp = 0;
  for (uint32_t warp = 0; warp < code_.warps; ++warp) {
    const LaneTree& lanes = lanes_[warp];
    for (const Index index : lanes.leaves()) {
      const Node& leaf = lanes[index];
      if (leaf.state == LaneTree::State::AtMembers) {
        const uint32_t wanted = members_.members_of(warp, leaf.step, leaf.mask) & ~leaf.mask;
        state_.report(kKind, code_.steps[leaf.step], thread_of(warp, leaf.mask),
                      fmt::format("waits for {} in the member mask of {}, which never {}; name only lanes "
                                  "that reach it, or move it out of the condition",
                                  name_lanes(wanted), ptx::name_of(program().steps[leaf.step].op),
                                  std::has_single_bit(wanted) ? "comes" : "come"));
        return;
      }
      if (leaf.state != LaneTree::State::AtBarrier) continue;
      if (leaf.mask != lanes.alive() && leaf.threads == 0) {
        state_.report(kKind, code_.steps[leaf.barrier_step], thread_of(warp, leaf.mask),
                      divergent_barrier_sentence(leaf.mask, lanes.alive()));
        return;
      }
      if (first == nullptr) {
        first = &leaf;
        first_warp = warp;
      }
      waiting += leaf.barrier == first->barrier;
    }
  }
  if (first == nullptr) return;
  state_.report(
      kKind, code_.steps[first->barrier_step], thread_of(first_warp, first->mask),
      fmt::format("is in a deadlock: {} of {} warps wait at barrier {} for others that never come; let "
                  "all threads of the block reach the same barrier",
                  waiting, code_.warps, first->barrier));
}

void DeadlockReport::report_spinning_group(uint32_t block, uint32_t thread, const std::string& others) {
  const uint32_t step = telling_step(block);
  state_.report(trace::HazardKind::Deadlock, code_.steps[step], thread,
                polls(block) ? fmt::format("is in a deadlock: all threads of the block spin at {}; {}",
                                           place_of(step), others)
                             : std::string(kEndless));
}

void DeadlockReport::report_spinning_lanes(const std::string& others) {
  for (uint32_t warp = 0; warp < code_.warps; ++warp) {
    const LaneTree& lanes = lanes_[warp];
    for (const Index index : lanes.leaves()) {
      const Node& leaf = lanes[index];
      if (leaf.state != LaneTree::State::Spins) continue;
      const uint32_t step = telling_step(leaf.block);
      const bool one = std::has_single_bit(leaf.mask);
      const std::string waiting = describe_waiting(lanes, index);
      const std::string spins = fmt::format("is in a deadlock: {} of warp {} spin{} at {}",
                                            name_lanes(leaf.mask), warp, one ? "s" : "", place_of(step));
      const bool lockstep = !waiting.empty() && scheduling_ == Scheduling::Lockstep;
      if (!lockstep && !polls(leaf.block)) {
        const bool recurs = program().recursive && lanes.depth(index) > kDeepCalls;
        state_.report(recurs ? trace::HazardKind::StackOverflow : trace::HazardKind::Deadlock,
                      code_.steps[step], thread_of(warp, leaf.mask),
                      std::string(recurs ? kEndlessCalls : kEndless));
        return;
      }
      state_.report(
          trace::HazardKind::Deadlock, code_.steps[step], thread_of(warp, leaf.mask),
          lockstep
              ? fmt::format("{} and {}, as lanes in lockstep do; let a lane that holds a lock release it "
                            "within the loop, or choose independent scheduling",
                            spins, waiting)
              : fmt::format("{}; {}", spins, others));
      return;
    }
  }
  report_deadlock();
}

}  // namespace lanescope::emulator
