#include "emulator/schedule/lane_tree.h"

#include <algorithm>
#include <utility>

namespace lanescope::emulator {
namespace {

/// Position of lanes that arrive at a basic block over an edge from `position`: the end of the block's loop
/// if they come for its next round.
uint32_t position_after(uint32_t position, const ptx::BasicBlock& block) {
  const bool next_round = block.position <= position && block.round_end != 0;
  return next_round ? block.round_end : block.position;
}

}  // namespace

void LaneTree::reset(uint32_t block, uint32_t step, uint32_t mask) {
  nodes_.clear();
  free_.clear();
  leaves_.clear();
  alive_ = mask;
  turns_ended_ = 0;
  kept_.clear();
  kept_bytes_ = 0;
  openings_.clear();
  if (mask != 0) leaves_.push_back(make({.block = block, .step = step, .mask = mask}, kNone));
}

/// `like`: the node whose openings of barriers it has; kNone: it has opened none.
LaneTree::Index LaneTree::make(const Node& node, Index like) {
  if (free_.empty()) {
    nodes_.push_back(node);
    free_.push_back(static_cast<Index>(nodes_.size() - 1));
  }
  const Index index = free_.back();
  free_.pop_back();
  nodes_[index] = node;
  if (barriers_ == nullptr) return index;
  openings_.resize(nodes_.size());
  openings_[index] = like == kNone ? first_openings() : openings_[like];
  return index;
}

std::vector<uint32_t> LaneTree::first_openings() const {
  return {barriers_->open_at_start.begin(), barriers_->open_at_start.end()};
}

void LaneTree::open_barriers(Index leaf) {
  if (barriers_ == nullptr) return;
  for (const uint32_t barrier : barriers_->closed[nodes_[leaf].block]) openings_[leaf][barrier] = 0;
  for (const uint32_t barrier : barriers_->opened[nodes_[leaf].block])
    openings_[leaf][barrier] = ++last_opening_;
}

/// True if lanes at `other` that come to the block of `waiting` wait there with these.
bool LaneTree::wait_together(Index other, Index waiting, const ptx::Program& program) const {
  if (barriers_ == nullptr) return true;
  const Node& node = nodes_[waiting];
  const bool at_round_end = node.position != program.blocks[node.block].position;
  const auto& barriers = (at_round_end ? barriers_->at_round : barriers_->at)[node.block];
  return std::ranges::any_of(barriers, [&](uint32_t barrier) {
    return openings_[other][barrier] != 0 && openings_[other][barrier] == openings_[waiting][barrier];
  });
}

bool LaneTree::runs_before(Index a, Index b) const {
  uint32_t depth_a = depth(a);
  uint32_t depth_b = depth(b);
  for (; depth_a > depth_b; --depth_a) a = nodes_[a].caller;
  for (; depth_b > depth_a; --depth_b) b = nodes_[b].caller;
  while (nodes_[a].caller != nodes_[b].caller) {
    a = nodes_[a].caller;
    b = nodes_[b].caller;
  }
  return nodes_[a].position < nodes_[b].position;
}

void LaneTree::insert(Index leaf) {
  auto at = leaves_.end();
  while (at != leaves_.begin() && runs_before(*(at - 1), leaf)) --at;
  leaves_.insert(at, leaf);
}

void LaneTree::remove(Index leaf) {
  if (leaves_.back() == leaf) {  // mostly
    leaves_.pop_back();
  } else {
    leaves_.erase(std::ranges::find(leaves_, leaf));
  }
}

/// Removes a leaf that has no lanes any more.
void LaneTree::drop(Index leaf) {
  remove(leaf);
  const Index call = nodes_[leaf].caller;
  nodes_[leaf] = {};
  free_.push_back(leaf);
  if (call != kNone) end_call_if_empty(call);
}

/// Ends a call whose function no lane is in any more: its lanes continue at the return block.
void LaneTree::end_call_if_empty(Index call) {
  if (!nodes_[call].is_call) return;
  if (std::ranges::any_of(nodes_, [&](const Node& node) { return node.mask != 0 && node.caller == call; }))
    return;
  if (nodes_[call].keeps) forget_kept(call);
  nodes_[call].is_call = false;
  nodes_[call].moved = true;
  insert(call);
  if (nodes_[call].mask == 0) drop(call);
}

void LaneTree::absorb(Index leaf, Index other) {
  Node& into = nodes_[leaf];
  const Node& from = nodes_[other];
  into.mask |= from.mask;
  into.released = into.released && from.released;
  into.turns = std::max(into.turns, from.turns);
  into.last_turn = std::max(into.last_turn, from.last_turn);
  into.spun = into.spun && from.spun;
  into.polled = std::max(into.polled, from.polled);
  into.polls = into.polls || from.polls;
  into.patient = into.patient && from.patient;
  into.laps.take(from.laps);
  drop(other);
}

bool LaneTree::join(Index leaf, Index other) {
  const Node& into = nodes_[leaf];
  const Node& from = nodes_[other];
  if (into.caller != from.caller || into.step != from.step || into.block != from.block ||
      into.position != from.position || into.state != from.state)
    return false;
  absorb(leaf, other);
  return true;
}

/// Joins a leaf that has just come to its block to one that is ready there. True if there was one.
bool LaneTree::join_any(Index leaf, const ptx::Program& program) {
  for (const Index other : leaves_)
    if (other != leaf && nodes_[other].state == State::Ready && !nodes_[other].moved &&
        wait_together(leaf, other, program) && join(other, leaf))
      return true;
  return false;
}

void LaneTree::diverge(Index leaf, std::span<const Part> parts, const ptx::Program& program) {
  const Node before = nodes_[leaf];
  const uint32_t position = program.blocks[before.block].position;
  remove(leaf);
  free_.push_back(leaf);
  for (size_t n = 0; n < parts.size(); ++n) {
    const ptx::BasicBlock& block = program.blocks[parts[n].block];
    Node node = before;
    node.block = parts[n].block;
    node.step = block.first;
    node.position = position_after(position, block);
    node.mask = parts[n].mask;
    node.last_turn = 0;
    node.moved = node.released = false;
    if (n != 0) node.laps = before.laps.without_anchor();
    const Index part = make(node, leaf);
    insert(part);
    join_any(part, program);
  }
}

std::vector<LaneTree::Index> LaneTree::split(Index leaf, std::span<const uint32_t> masks) {
  const Node before = nodes_[leaf];
  remove(leaf);
  free_.push_back(leaf);
  std::vector<Index> made;
  for (const uint32_t mask : masks) {
    Node node = before;
    node.mask = mask;
    if (!made.empty()) node.laps = before.laps.without_anchor();
    made.push_back(make(node, leaf));
    insert(made.back());
  }
  return made;
}

bool LaneTree::arrive(Index leaf, const ptx::Program& program) {
  Node& node = nodes_[leaf];
  if (leaves_.size() == 1) {
    node.moved = false;
    return true;
  }
  const ptx::BasicBlock& block = program.blocks[node.block];
  const bool moved = std::exchange(node.moved, false);
  const uint32_t before = std::exchange(
      node.position, moved ? position_after(node.position, block) : block.position);  // a round begins
  if (!moved && before == node.position) return true;
  if (moved) node.released = false;

  const size_t at = leaves_.back() == leaf
                        ? leaves_.size() - 1
                        : static_cast<size_t>(std::ranges::find(leaves_, leaf) - leaves_.begin());
  const bool is_lowest = at + 1 == leaves_.size();
  const bool keeps_place =
      (is_lowest || runs_before(leaves_[at + 1], leaf)) && (at == 0 || runs_before(leaf, leaves_[at - 1]));
  if (!keeps_place) {
    remove(leaf);
    insert(leaf);
    if (moved && join_any(leaf, program)) return false;
  }
  if (leaves_.back() == leaf) {
    node.position = block.position;  // all lanes of the loop are here
    return true;
  }
  return !moved || (keeps_place && block.pending.empty() && node.position == block.position);
}

/// True if lanes at `other` can still come to the position of `waiting`.
bool LaneTree::comes_to(Index other, Index waiting, const ptx::Program& program) const {
  const Node& from = nodes_[other];
  const Node& to = nodes_[waiting];
  const ptx::BasicBlock& block = program.blocks[to.block];
  const bool at_round_end = to.position != block.position;
  if (!wait_together(other, waiting, program)) return false;
  if (!at_round_end && from.is_call && from.block == to.block) return true;
  return std::ranges::any_of(at_round_end ? block.round_pending : block.pending,
                             [&](const ptx::PositionRange& range) {
                               return range.begin <= from.position && from.position < range.end;
                             });
}

bool LaneTree::waits(Index leaf, const ptx::Program& program) const {
  const Node& node = nodes_[leaf];
  if (node.released || node.moved || node.state != State::Ready ||
      node.step != program.blocks[node.block].first)
    return false;
  for (size_t n = 0; n < nodes_.size(); ++n) {
    const auto other = static_cast<Index>(n);
    if (other != leaf && nodes_[n].mask != 0 && nodes_[n].caller == node.caller &&
        comes_to(other, leaf, program))
      return true;
  }
  return false;
}

/// True if lanes at the node exit without coming to another barrier of the thread block.
bool LaneTree::only_exits(Index node, const ptx::Program& program) const {
  for (Index at = node; at != kNone; at = nodes_[at].caller)
    if (program.blocks[nodes_[at].block].reaches_barrier) return false;
  return true;
}

LaneTree::Index LaneTree::next(bool take_turns, const ptx::Program& program) const {
  Index best = kNone;
  for (size_t n = leaves_.size(); n-- > 0;) {
    const Node& leaf = nodes_[leaves_[n]];
    const bool is_lowest = n + 1 == leaves_.size();
    if (!take_turns) {
      const bool runs = is_lowest || (only_exits(leaves_[n], program) && !waits(leaves_[n], program));
      if (leaf.state == State::Ready && runs) return leaves_[n];
      if (leaf.state != State::AtBarrier) break;
      continue;
    }
    if (leaf.state != State::Ready) continue;
    if (best != kNone && leaf.last_turn >= nodes_[best].last_turn) continue;
    if (!is_lowest && waits(leaves_[n], program)) continue;
    best = leaves_[n];
    if (leaf.last_turn == 0) break;
  }
  return best;
}

LaneTree::Index LaneTree::call(Index leaf, uint32_t return_block, uint32_t function, uint32_t lanes,
                               const ptx::Program& program) {
  remove(leaf);
  Node callee = nodes_[leaf];
  Node& call = nodes_[leaf];
  call.block = return_block;
  call.step = program.blocks[return_block].first;
  call.position = program.blocks[return_block - 1].position;
  call.is_call = true;
  call.moved = false;
  call.function = function;
  call.laps = call.laps.without_anchor();
  callee.mask = lanes;
  callee.caller = leaf;
  go_to(callee, program.functions[function].entry, program);
  callee.position = program.blocks[callee.block].position;
  callee.moved = false;
  const Index made = make(callee, leaf);
  insert(made);
  return made;
}

void LaneTree::leave_function(Index leaf, uint32_t lanes) {
  nodes_[leaf].mask &= ~lanes;
  if (nodes_[leaf].mask == 0) drop(leaf);
}

void LaneTree::exit(uint32_t lanes) {
  alive_ &= ~lanes;
  for (Node& node : nodes_) node.mask &= ~lanes;
  const std::vector<Index> before = leaves_;
  for (const Index leaf : before)
    if (nodes_[leaf].mask == 0) drop(leaf);
}

void LaneTree::keep(Index call, std::vector<std::byte> registers) {
  kept_bytes_ += registers.size();
  nodes_[call].keeps = true;
  kept_[call] = std::move(registers);
}

void LaneTree::forget_kept(Index call) {
  const auto kept = kept_.find(call);
  kept_bytes_ -= kept->second.size();
  kept_.erase(kept);
  nodes_[call].keeps = false;
}

uint32_t LaneTree::returned(Index call) const {
  uint32_t inside = 0;
  for (const Node& node : nodes_)
    if (node.caller == call) inside |= node.mask;
  return nodes_[call].mask & ~inside;
}

bool LaneTree::release(Index leaf, const ptx::Program& program, Released which) {
  bool some = false;
  for (Index at = leaf; at != kNone; at = nodes_[at].caller) {
    for (const Index other : leaves_) {
      if (other == at || nodes_[other].caller != nodes_[at].caller || !waits(other, program) ||
          !comes_to(at, other, program))
        continue;
      if (which == Released::ThatExit && !only_exits(other, program)) continue;
      nodes_[other].released = true;
      some = true;
    }
    const uint32_t waiting = nodes_[at].is_call ? returned(at) : 0;
    if (waiting == 0 || (which == Released::ThatExit && !only_exits(at, program))) continue;
    nodes_[at].mask &= ~waiting;
    const Index made = make({.block = nodes_[at].block,
                             .step = nodes_[at].step,
                             .position = program.blocks[nodes_[at].block].position,
                             .mask = waiting,
                             .caller = nodes_[at].caller,
                             .released = true},
                            at);
    insert(made);
    some = true;
  }
  return some;
}

LaneTree::Part LaneTree::waiting_for(Index leaf, const ptx::Program& program) const {
  Part found;
  for (Index at = leaf; at != kNone && found.mask == 0; at = nodes_[at].caller) {
    for (const Index other : leaves_) {
      if (other == at || nodes_[other].caller != nodes_[at].caller || !waits(other, program) ||
          !comes_to(at, other, program))
        continue;
      if (found.mask == 0) found.block = nodes_[other].block;
      if (found.block == nodes_[other].block) found.mask |= nodes_[other].mask;
    }
    if (found.mask != 0 || !nodes_[at].is_call) continue;
    found = {.block = nodes_[at].block, .mask = returned(at)};
  }
  return found;
}

std::vector<LaneTree::Index> LaneTree::calls_of(Index leaf) const {
  std::vector<Index> calls;
  for (Index at = nodes_[leaf].caller; at != kNone; at = nodes_[at].caller) calls.push_back(at);
  std::ranges::reverse(calls);
  return calls;
}

uint32_t LaneTree::depth(Index leaf) const {
  uint32_t depth = 0;
  for (Index at = nodes_[leaf].caller; at != kNone; at = nodes_[at].caller) ++depth;
  return depth;
}

void LaneTree::gather(Index leaf) {
  std::vector<Node> chain;
  std::map<Index, std::vector<std::byte>> kept;
  for (const Index call : calls_of(leaf)) {
    if (nodes_[call].keeps) kept.emplace(static_cast<Index>(chain.size()), std::move(kept_[call]));
    chain.push_back(nodes_[call]);
  }
  chain.push_back(nodes_[leaf]);
  kept_ = std::move(kept);
  for (size_t n = 0; n < chain.size(); ++n) {
    Node& node = chain[n];
    node.caller = n == 0 ? kNone : static_cast<Index>(n - 1);
    node.mask = alive_;
  }
  nodes_ = std::move(chain);
  if (barriers_ != nullptr) openings_.assign(nodes_.size(), first_openings());
  free_.clear();
  leaves_.assign(1, static_cast<Index>(nodes_.size() - 1));
}

}  // namespace lanescope::emulator
