#include "emulator/schedule/warp_scheduler.h"

#include <algorithm>
#include <bit>

namespace lanescope::emulator {
namespace {

/// Basic blocks in a turn. A prime, so that turns end at different places of a loop.
constexpr int kTurn = 1021;

}  // namespace

Pause WarpScheduler::run() {
  for (;;) {
    progress_ = false;
    bool all_ended = true;
    for (uint32_t warp = 0; warp < code_.warps; ++warp) {
      if (lanes_[warp].empty()) continue;
      all_ended = false;
      if (!run_warp(warp) || !executor_.may_continue()) return Pause::Stopped;
    }
    if (all_ended) return Pause::Ended;
    for (uint32_t warp = 0; warp < code_.warps; ++warp) barriers_.meet(warp);
    const bool can_be_a_group = !executor_.has_history() && !code_.is_reference && barriers_.can_join();
    const bool released = barriers_.release();
    if (state_.stopped) return Pause::Stopped;
    if (released && can_be_a_group) return Pause::Joined;
    if (progress_ || released) {
      moved_ = true;
      continue;
    }
    if (const auto pause = wait()) return *pause;
  }
}

/// Handles a round in which no lane made progress: releases lanes, or else returns why the block pauses.
std::optional<Pause> WarpScheduler::wait() {
  bool released = false;
  bool some = false;
  bool for_ever = true;
  for (LaneTree& lanes : lanes_) {
    // A copy, since a release changes the list of leaves.
    const std::vector<Index> leaves(lanes.leaves().begin(), lanes.leaves().end());
    for (const Index leaf : leaves) {
      if (lanes.waits(leaf, program())) continue;
      const bool spins = lanes[leaf].state == LaneTree::State::Spins;
      const bool polls = lanes[leaf].state == LaneTree::State::Ready && lanes[leaf].patient;
      some = some || spins || polls;
      for_ever = for_ever && !polls;
      if ((spins || polls) && scheduling_ == Scheduling::Independent)
        released = lanes.release(leaf, program()) || released;
      // A compiler may let lanes that only exit do so early; the others then synchronize without them.
      const bool synchronizes = lanes[leaf].state == LaneTree::State::AtMembers &&
                                program().steps[lanes[leaf].step].op == ptx::Op::bar_warp_sync;
      if (lanes[leaf].state == LaneTree::State::AtBarrier || synchronizes)
        released = lanes.release(leaf, program(), LaneTree::Released::ThatExit) || released;
    }
  }
  if (released) return std::nullopt;
  if (some) return for_ever ? Pause::Spins : Pause::Waits;
  deadlock_.report_deadlock();
  return Pause::Stopped;
}

/// The leaf that runs next.
std::optional<LaneTree::Index> WarpScheduler::next_leaf(const LaneTree& lanes) const {
  const Index next = lanes.next(scheduling_ == Scheduling::Independent, program());
  if (next == LaneTree::kNone) return std::nullopt;
  return next;
}

/// Runs the warp for a turn. False if the block was stopped.
bool WarpScheduler::run_warp(uint32_t warp) {
  LaneTree& lanes = lanes_[warp];
  // A leaf that spins polls once more.
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
  if (!lanes.empty() && members_.gather(warp)) progress_ = true;
  return !state_.stopped;
}

/// Runs the leaf until it diverges, reconverges, waits, ends, or the turn is over. `turn`: basic blocks that
/// are left of the turn.
void WarpScheduler::run_leaf(uint32_t warp, Index index, int& turn) {
  LaneTree& lanes = lanes_[warp];
  for (; turn > 0; --turn) {
    Node& leaf = lanes[index];
    if (!lanes.arrive(index, program())) return;
    if (leaf.block == leaf.laps.anchor) {
      const bool compares = !leaf.laps.at_anchor;
      if (leaf.laps.came_round()) {
        leaf.state = LaneTree::State::Spins;
        return;
      }
      if (compares && std::exchange(leaf.spun, false)) leaf.polled = 0;  // the next wait counts anew
    }
    if (!leaf.spun && !leaf.patient) progress_ = true;
    const uint32_t mask = leaf.mask;
    const uint32_t block = leaf.block;
    const bool whole = mask == lanes.alive();
    Warps warps = executor_.one_warp(warp, mask, whole);
    const uint32_t first = leaf.step;
    uint32_t end = program().blocks[block].end;
    if (!whole && first != end && scheduling_ == Scheduling::Independent) end = code_.next_wait[first];
    executor_.execute(first, end, warps, 1, static_cast<uint64_t>(LaneMask{mask}.count()),
                      leaf.laps.watched ? &leaf.laps : nullptr);
    if (state_.stopped) return;
    if (end != program().blocks[block].end) {
      leaf.step = end;
      leaf.state = LaneTree::State::AtMembers;
      members_.gather(warp);
      return;
    }
    const bool same = control_.go_on(warp, index);
    if (code_.polls[block] != 0 && same) {
      leaf.polls = true;
      if (is_watch_due(++leaf.polled) && !leaf.laps.watched) leaf.laps.begin(leaf.block);
    }
    if (!same || state_.stopped) {
      --turn;
      break;
    }
  }
  if (turn == 0 && !state_.stopped && !lanes.empty())
    if (const auto leaf = next_leaf(lanes)) end_turn(warp, *leaf);
}

/// Ends the turn of a leaf that could continue.
void WarpScheduler::end_turn(uint32_t warp, Index index) {
  LaneTree& lanes = lanes_[warp];
  Node& leaf = lanes[index];
  if (std::exchange(leaf.spun, false)) {  // it no longer spins
    progress_ = true;
    leaf.polled = 0;
  }
  ++leaf.turns;
  leaf.patient = leaf.polls && leaf.turns >= kPatience;
  leaf.polls = false;
  if (leaf.laps.watched) {
    leaf.laps.end();
  } else if (std::has_single_bit(leaf.turns) || leaf.patient) {
    leaf.laps.begin(leaf.block);
  }
  lanes.end_turn(index);
}

}  // namespace lanescope::emulator
