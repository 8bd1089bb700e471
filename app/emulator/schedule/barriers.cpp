#include "emulator/schedule/barriers.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

bool is_aligned(const ptx::Program& program, const ptx::Step& step) {
  return program.modifiers[step.modifiers].aligned;
}

}  // namespace

std::string divergent_barrier_sentence(uint32_t lanes, uint32_t alive) {
  return fmt::format(
      "reaches the barrier with {} of the {} running threads of its warp, and the others are elsewhere; "
      "move it out of the condition",
      std::popcount(lanes), std::popcount(alive));
}

void Barriers::arrive(uint32_t warp, Index index) {
  LaneTree& tree = lanes_[warp];
  Node& leaf = tree[index];
  const Step& step = executor_.last_code_of(leaf.block);
  const ptx::Step& last = executor_.last_of(leaf.block);
  const uint32_t lanes = executor_.executing(warp, leaf.mask, step);
  go_to(leaf, leaf.block + 1, program());
  if (lanes == 0) return;
  const int lane = std::countr_zero(lanes);
  const bool aligned = is_aligned(program(), last);
  if (lanes != leaf.mask) {
    state_.report(trace::HazardKind::DivergentBarrier, step, warp * kLanes + static_cast<uint32_t>(lane),
                  divergent_barrier_sentence(lanes, tree.alive()));
    return;
  }
  leaf.barrier = static_cast<uint32_t>(executor_.word_at(warp, step.source[0], lane));
  leaf.threads = ptx::is_barrier(last.op) && last.source[1] != ptx::kNoSlot
                     ? static_cast<uint32_t>(executor_.word_at(warp, step.source[1], lane))
                     : 0;
  if (leaf.barrier >= kCount || leaf.threads % kLanes != 0) {
    const bool exists = leaf.barrier < kCount;
    state_.report(
        trace::HazardKind::OutOfBounds, step, warp * kLanes + static_cast<uint32_t>(lane),
        exists
            ? fmt::format("waits at barrier {} for {} threads, which is no multiple of {}; count whole warps",
                          leaf.barrier, leaf.threads, kLanes)
            : fmt::format("waits at barrier {}, and a block has 0 to {}; check the number", leaf.barrier,
                          kCount - 1));
    return;
  }
  leaf.barrier_step = step.index;
  if (ptx::only_arrives(last.op)) {
    arrived_[leaf.barrier] += aligned ? kLanes : static_cast<uint32_t>(std::popcount(lanes));
    // Threads that only arrive may complete a barrier at which none waits.
    if (arrived_[leaf.barrier] >= leaf.threads && !is_waited_for(leaf.barrier)) arrived_[leaf.barrier] = 0;
    if (state_.observer) state_.observer->on_arrival(leaf.barrier, warp);
    return;
  }
  leaf.state = LaneTree::State::AtBarrier;
  // All lanes that still run are here, so none waits elsewhere.
  if (lanes == tree.alive()) tree.gather(index);
}

bool Barriers::is_waited_for(uint32_t barrier) const {
  return std::ranges::any_of(lanes_, [&](const LaneTree& tree) {
    return std::ranges::any_of(tree.leaves(), [&](Index index) {
      const Node& leaf = tree[index];
      return leaf.state == LaneTree::State::AtBarrier && leaf.barrier == barrier;
    });
  });
}

void Barriers::meet(uint32_t warp) {
  LaneTree& tree = lanes_[warp];
  if (tree.leaves().size() < 2) return;
  const Node& first = tree[tree.leaves().front()];
  uint32_t lanes = 0;
  for (const Index index : tree.leaves()) {
    const Node& leaf = tree[index];
    if (leaf.state != LaneTree::State::AtBarrier || leaf.barrier_step != first.barrier_step ||
        leaf.barrier != first.barrier || leaf.threads != first.threads || leaf.caller != first.caller)
      return;
    lanes |= leaf.mask;
  }
  if (lanes == tree.alive()) tree.gather(tree.leaves().front());
}

bool Barriers::can_join() const {
  const LaneTree* first = nullptr;
  for (const LaneTree& tree : lanes_) {
    if (tree.empty()) continue;
    const Index index = tree.leaves().front();
    const Node& leaf = tree[index];
    if (tree.leaves().size() != 1 || leaf.mask != tree.alive() || leaf.state != LaneTree::State::AtBarrier ||
        leaf.threads != 0)
      return false;
    if (first == nullptr) {
      first = &tree;
      continue;
    }
    const Index other = first->leaves().front();
    if ((*first)[other].barrier_step != leaf.barrier_step) return false;
    const auto calls = tree.calls_of(index);
    const bool same_calls = std::ranges::equal(
        calls, first->calls_of(other), [&](Index a, Index b) { return tree[a].block == (*first)[b].block; });
    if (!same_calls) return false;
  }
  return first != nullptr;
}

/// Adds the lanes of the warp that wait. False, with the hazard reported, if all wait at the same barrier,
/// but at different instructions.
bool Barriers::count_warp(uint32_t warp, Counts& counts) {
  const LaneTree& tree = lanes_[warp];
  std::array<uint32_t, kCount> lanes{};
  std::array<uint32_t, kCount> single{};  // lanes that are counted one by one
  const Node* aligned = nullptr;
  for (const Index index : tree.leaves()) {
    const Node& leaf = tree[index];
    if (leaf.state != LaneTree::State::AtBarrier) continue;
    lanes[leaf.barrier] |= leaf.mask;
    counts[leaf.barrier].expected = std::max(counts[leaf.barrier].expected, leaf.threads);
    if (is_aligned(program(), program().steps[leaf.barrier_step])) {
      aligned = &leaf;
    } else {
      single[leaf.barrier] |= leaf.mask;
    }
  }
  for (uint32_t barrier = 0; barrier < kCount; ++barrier) {
    if (lanes[barrier] == 0) continue;
    if (lanes[barrier] != tree.alive()) {
      counts[barrier].threads += static_cast<uint32_t>(std::popcount(single[barrier]));
      continue;
    }
    if (tree.leaves().size() > 1 && aligned != nullptr) {
      report_different_barriers(warp, *aligned);
      return false;
    }
    ++counts[barrier].warps;
    counts[barrier].threads += kLanes;
  }
  return true;
}

std::vector<Barriers::Waiting> Barriers::waiting_at(uint32_t barrier) const {
  std::vector<Waiting> waiting;
  for (uint32_t warp = 0; warp < code_.warps; ++warp) {
    for (const Index index : lanes_[warp].leaves()) {
      const Node& leaf = lanes_[warp][index];
      if (leaf.state == LaneTree::State::AtBarrier && leaf.barrier == barrier)
        waiting.push_back({warp, index});
    }
  }
  return waiting;
}

bool Barriers::release() {
  bool released = false;
  Counts counts{};
  uint32_t live = 0;  // warps
  for (uint32_t warp = 0; warp < code_.warps; ++warp) {
    if (lanes_[warp].empty()) continue;
    ++live;
    if (!count_warp(warp, counts)) return false;
  }
  for (uint32_t barrier = 0; barrier < kCount; ++barrier) {
    const auto& [threads, expected, warps] = counts[barrier];
    const bool complete = expected == 0 ? warps != 0 && warps * kLanes + arrived_[barrier] >= live * kLanes
                                        : threads + arrived_[barrier] >= expected && threads != 0;
    if (!complete) continue;
    const std::vector<Waiting> waiting = waiting_at(barrier);
    reduce(waiting);
    for (const auto& [warp, index] : waiting) {
      lanes_[warp][index].state = LaneTree::State::Ready;
      lanes_[warp][index].turns = 0;
    }
    for (const auto& [warp, index] : waiting)
      state_.note_wait(trace::Wait::Kind::Barrier, lanes_[warp][index].barrier_step, warp,
                       {lanes_[warp][index].mask});
    ++state_.meetings;
    const std::vector<uint32_t> who = warps_of(waiting);
    state_.sink->on_barrier(who);
    note_meeting(barrier, waiting, who);
    arrived_[barrier] = 0;
    released = true;
  }
  return released;
}

/// The warps of the leaves that wait, which are in the order of the warps.
std::vector<uint32_t> Barriers::warps_of(const std::vector<Waiting>& waiting) {
  std::vector<uint32_t> warps;
  for (const auto& [warp, index] : waiting)
    if (warps.empty() || warps.back() != warp) warps.push_back(warp);
  return warps;
}

/// Reports to the observer which warps the barrier has synchronized.
void Barriers::note_meeting(uint32_t barrier, const std::vector<Waiting>& waiting,
                            std::span<const uint32_t> warps) {
  if (!state_.observer) return;
  uint32_t live = 0;
  for (const LaneTree& tree : lanes_) live += !tree.empty();
  if (warps.size() == live) {
    state_.observer->on_barrier(0);
  } else {
    state_.observer->on_barrier_of(barrier, warps);
  }
  if (lanes_[waiting[0].warp][waiting[0].leaf].threads == 0) note_absence(waiting[0]);
}

/// Threads of the block may have exited before a barrier that is for all of it.
void Barriers::note_absence(const Waiting& first) {
  uint64_t running = 0;
  for (const LaneTree& tree : lanes_) running += static_cast<uint64_t>(std::popcount(tree.alive()));
  const Node& leaf = lanes_[first.warp][first.leaf];
  state_.observer->on_threads_at_barrier(0, leaf.barrier_step, thread_of(first.warp, leaf.mask), running);
}

/// All lanes of the warp are at the same barrier, but at different instructions.
void Barriers::report_different_barriers(uint32_t warp, const Node& leaf) {
  state_.report(trace::HazardKind::DivergentBarrier, code_.steps[leaf.barrier_step],
                warp * kLanes + static_cast<uint32_t>(std::countr_zero(leaf.mask)),
                fmt::format("reaches the barrier here with {} of the {} running threads of its warp, and the "
                            "others reach it at another place; move it out of the condition",
                            std::popcount(leaf.mask), std::popcount(lanes_[warp].alive())));
}

/// bar.red: every thread gets the number of threads whose predicate is true, or whether all or any are.
void Barriers::reduce(const std::vector<Waiting>& waiting) {
  std::byte* const registers = state_.registers.get();
  uint32_t yes = 0;
  uint32_t threads = 0;
  bool any = false;
  for (const auto& [warp, index] : waiting) {
    const Node& leaf = lanes_[warp][index];
    const Step& step = code_.steps[leaf.barrier_step];
    if (!ptx::reduces_predicate(program().steps[leaf.barrier_step].op)) continue;
    any = true;
    const uint32_t mask = executor_.mask_at(step.source[2], warp) ^ (step.negated & 4 ? kAllLanes.bits : 0);
    yes += static_cast<uint32_t>(std::popcount(mask & leaf.mask));
    threads += static_cast<uint32_t>(std::popcount(leaf.mask));
  }
  if (!any) return;
  for (const auto& [warp, index] : waiting) {
    const Node& leaf = lanes_[warp][index];
    const Step& step = code_.steps[leaf.barrier_step];
    const ptx::Op op = program().steps[leaf.barrier_step].op;
    if (!ptx::reduces_predicate(op)) continue;
    std::byte* const to = registers + step.destination[0].offset + size_t{step.destination[0].stride} * warp;
    if (op == ptx::Op::bar_red_popc) {
      for_each_lane({leaf.mask}, [&](int lane) {
        std::memcpy(to + static_cast<size_t>(lane) * sizeof yes, &yes, sizeof yes);
      });
    } else {
      const bool truth = op == ptx::Op::bar_red_and ? yes == threads : yes != 0;
      uint32_t mask = executor_.mask_at(step.destination[0], warp);
      mask = truth ? mask | leaf.mask : mask & ~leaf.mask;
      std::memcpy(to, &mask, sizeof mask);
    }
    if (HistoryRecorder* const history = executor_.history_of(warp))
      history->note(state_, step, {leaf.mask}, {leaf.mask});
  }
}

}  // namespace lanescope::emulator
