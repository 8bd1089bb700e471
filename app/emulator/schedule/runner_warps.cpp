// Warps that run for themselves: whose turn it is, and who gets nowhere.
// Method: a group of lanes runs until it waits, ends, or its turn is over. At the end of some turns a watch
// begins; if it then goes round in two laps that are alike, it does so for ever unless somebody else changes
// memory: it spins. One that only polls for very long, with registers that change (a counter, a clock), is
// taken to wait for others too, but never to be stuck.

#include "emulator/schedule/runner.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanescope::emulator {
namespace {

/// Blocks of the program after which somebody else gets a turn. A prime, so that turns end all over a loop.
constexpr int kTurn = 1021;
constexpr uint64_t kCheckInterval = 1 << 16;
/// Blocks that poll after which a watch begins.
constexpr uint32_t kPolls = 64;
/// Turns in which a group polled, after which it may wait for others.
constexpr uint32_t kPatience = 16;

}  // namespace

Runner::Outcome Runner::run_warps() {
  for (;;) {
    progress_ = false;
    bool all_ended = true;
    for (uint32_t warp = 0; warp < code_.warps; ++warp) {
      if (lanes_[warp].empty()) continue;
      all_ended = false;
      if (!run_warp(warp) || !check_in(kCheckInterval)) return Outcome::Stopped;
    }
    if (all_ended) return Outcome::Ended;
    for (uint32_t warp = 0; warp < code_.warps; ++warp) meet_at_barrier(warp);
    const bool can_be_a_group = history_ == nullptr && can_join();
    const bool released = release_barriers();
    if (state_.stopped) return Outcome::Stopped;
    if (released && can_be_a_group) {
      join();
      return Outcome::Joined;
    }
    if (progress_ || released) {
      moved_ = true;
      continue;
    }
    const Outcome outcome = wait();
    if (outcome != Outcome::Joined) return outcome;
  }
}

/// Nobody got anywhere in this round. Joined where somebody now can.
Runner::Outcome Runner::wait() {
  bool released = false;
  bool some = false;
  bool for_ever = true;
  for (LaneTree& lanes : lanes_) {
    // What is released changes the list of leaves.
    const std::vector<Index> leaves(lanes.leaves().begin(), lanes.leaves().end());
    for (const Index leaf : leaves) {
      const bool spins = lanes[leaf].state == LaneTree::State::Spins;
      const bool polls = lanes[leaf].state == LaneTree::State::Ready && lanes[leaf].patient;
      some = some || spins || polls;
      for_ever = for_ever && !polls;
      if ((spins || polls) && scheduling_ == Scheduling::Independent)
        released = lanes.release(leaf, program()) || released;
    }
  }
  if (released) return Outcome::Joined;
  if (some) return for_ever ? Outcome::Spins : Outcome::Waits;
  report_deadlock();
  return Outcome::Stopped;
}

/// The leaf that runs next: the youngest that can; in lockstep the youngest, if it can.
std::optional<Runner::Index> Runner::next_leaf(const LaneTree& lanes) const {
  const auto leaves = lanes.leaves();
  for (size_t n = leaves.size(); n-- > 0;) {
    if (lanes[leaves[n]].state == LaneTree::State::Ready) return leaves[n];
    if (scheduling_ == Scheduling::Lockstep) break;
  }
  return std::nullopt;
}

/// A turn of the warp. False if the block was stopped.
bool Runner::run_warp(uint32_t warp) {
  LaneTree& lanes = lanes_[warp];
  // Who spins looks once more.
  for (const Index index : lanes.leaves()) {
    Node& leaf = lanes[index];
    if (leaf.state != LaneTree::State::Spins) continue;
    leaf.state = LaneTree::State::Ready;
    leaf.laps.go_round_again();
    leaf.spun = true;
  }
  int turn = kTurn;
  while (const auto leaf = next_leaf(lanes)) {
    run_leaf(warp, *leaf, turn);
    if (state_.stopped) return false;
    if (turn == 0) return true;
  }
  if (!lanes.empty() && gather_members(warp)) progress_ = true;
  return !state_.stopped;
}

/// Runs the leaf until it parts, meets, waits, ends, or the turn is over: `turn` is what is left of it.
void Runner::run_leaf(uint32_t warp, Index index, int& turn) {
  LaneTree& lanes = lanes_[warp];
  for (; turn > 0; --turn) {
    Node& leaf = lanes[index];
    if (leaf.block == leaf.reconvergence) {
      lanes.meet(index);
      return;
    }
    if (leaf.block == leaf.laps.anchor) {
      const bool compares = !leaf.laps.at_anchor;
      if (leaf.laps.came_round()) {
        leaf.state = LaneTree::State::Spins;
        return;
      }
      if (compares) leaf.spun = false;
    }
    if (!leaf.spun && !leaf.patient) progress_ = true;
    const uint32_t mask = leaf.mask;
    const uint32_t block = leaf.block;
    const bool whole = mask == lanes.alive();
    Warps warps{.block = state_,
                .registers = state_.registers.get(),
                .first = warp,
                .count = 1,
                .whole = whole,
                .active = &mask,
                .once_active = &mask};
    const uint32_t first = leaf.step;
    uint32_t end = program().blocks[block].end;
    if (!whole && first != end && scheduling_ == Scheduling::Independent) end = code_.next_wait[first];
    execute(first, end, warps, 1, static_cast<uint64_t>(std::popcount(mask)),
            leaf.laps.watched ? &leaf.laps : nullptr);
    if (state_.stopped) return;
    if (end != program().blocks[block].end) {
      leaf.step = end;
      leaf.state = LaneTree::State::AtMembers;
      gather_members(warp);
      return;
    }
    const bool same = go_on(warp, index);
    if (code_.polls[block] != 0 && same) {
      leaf.polls = true;
      if (++leaf.polled % kPolls == 0 && !leaf.laps.watched) leaf.laps.begin(leaf.block);
    }
    if (!same || state_.stopped) {
      --turn;
      break;
    }
  }
  if (turn == 0 && !state_.stopped && !lanes.empty())
    if (const auto leaf = next_leaf(lanes)) end_turn(warp, *leaf);
}

/// The leaf could go on, but it is others' turn.
void Runner::end_turn(uint32_t warp, Index index) {
  LaneTree& lanes = lanes_[warp];
  Node& leaf = lanes[index];
  if (leaf.spun) progress_ = true;  // it has left its circle
  leaf.spun = false;
  ++leaf.turns;
  leaf.patient = leaf.polls && leaf.turns >= kPatience;
  leaf.polls = false;
  if (leaf.laps.watched) {
    leaf.laps.end();
  } else if (std::has_single_bit(leaf.turns) || leaf.patient) {
    leaf.laps.begin(leaf.block);
  }
  if (scheduling_ == Scheduling::Independent) lanes.make_first(index);
}

}  // namespace lanescope::emulator
