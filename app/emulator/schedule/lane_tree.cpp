#include "emulator/schedule/lane_tree.h"

#include <algorithm>
#include <utility>

namespace lanescope::emulator {

void LaneTree::reset(uint32_t block, uint32_t step, uint32_t mask) {
  nodes_.clear();
  free_.clear();
  leaves_.clear();
  alive_ = mask;
  kept_.clear();
  kept_bytes_ = 0;
  if (mask != 0) leaves_.push_back(make({.block = block, .step = step, .mask = mask}));
}

LaneTree::Index LaneTree::make(const Node& node) {
  if (free_.empty()) {
    nodes_.push_back(node);
    return static_cast<Index>(nodes_.size() - 1);
  }
  const Index index = free_.back();
  free_.pop_back();
  nodes_[index] = node;
  return index;
}

void LaneTree::make_first(Index leaf) {
  const auto at = std::ranges::find(leaves_, leaf);
  std::rotate(leaves_.begin(), at, at + 1);
}

/// Takes the leaf away from its parent, which continues if it was the last below it.
void LaneTree::drop(Index leaf) {
  const Index parent = nodes_[leaf].parent;
  const SpinDetector laps = nodes_[leaf].laps;
  if (nodes_[leaf].keeps) forget_kept(leaf);
  nodes_[leaf].parent = kNone;
  nodes_[leaf].mask = 0;
  free_.push_back(leaf);
  if (parent == kNone) return;
  Node& above = nodes_[parent];
  above.laps.take(laps);
  if (--above.below != 0) return;
  if (above.mask == 0) {
    drop(parent);
  } else {
    if (above.keeps) forget_kept(parent);
    above.is_call = false;
    leaves_.push_back(parent);
  }
}

void LaneTree::remove_leaf(Index leaf) {
  // Mostly the last one.
  if (leaves_.back() == leaf) {
    leaves_.pop_back();
  } else {
    leaves_.erase(std::ranges::find(leaves_, leaf));
  }
}

void LaneTree::part(Index leaf, uint32_t meeting, std::span<const Part> parts, const ptx::Program& program) {
  remove_leaf(leaf);
  Index above = leaf;
  if (meeting == ptx::BasicBlock::kNever || meeting == nodes_[leaf].reconvergence) {
    // Lanes above wait there for these already: no new node has to.
    above = nodes_[leaf].parent;
  } else {
    nodes_[leaf].block = meeting;
    nodes_[leaf].step = program.blocks[meeting].first;
  }
  // They inherit its progress: if it made none, neither do they until they leave the loop.
  Node node = {.reconvergence = above == leaf ? meeting : nodes_[leaf].reconvergence,
               .parent = above,
               .caller = nodes_[leaf].caller,
               .turns = nodes_[leaf].turns,
               .laps = {.watched = nodes_[leaf].laps.watched},
               .spun = nodes_[leaf].spun,
               .polls = nodes_[leaf].polls,
               .patient = nodes_[leaf].patient};
  for (const Part& part : parts) {
    if (part.block == meeting) continue;
    node.block = part.block;
    node.step = program.blocks[part.block].first;
    node.mask = part.mask;
    if (above != kNone) ++nodes_[above].below;
    leaves_.push_back(make(node));
  }
  if (above == leaf) {
    if (nodes_[leaf].below == 0) leaves_.push_back(leaf);
  } else {
    drop(leaf);
  }
}

void LaneTree::meet(Index leaf) {
  Node& above = nodes_[nodes_[leaf].parent];
  above.polls = above.polls || nodes_[leaf].polls;
  above.turns = std::max(above.turns, nodes_[leaf].turns);
  remove_leaf(leaf);
  drop(leaf);
}

LaneTree::Index LaneTree::call(Index leaf, uint32_t return_block, uint32_t function, uint32_t lanes,
                               const ptx::Program& program) {
  remove_leaf(leaf);
  Node& call = nodes_[leaf];
  call.block = return_block;
  call.step = program.blocks[return_block].first;
  call.is_call = true;
  call.function = function;
  call.below = 1;
  const uint32_t entry = program.functions[function].entry;
  const Index callee = make({.block = entry,
                             .step = program.blocks[entry].first,
                             .mask = lanes,
                             .parent = leaf,
                             .caller = leaf,
                             .turns = nodes_[leaf].turns,
                             .laps = {.watched = nodes_[leaf].laps.watched},
                             .spun = nodes_[leaf].spun,
                             .polls = nodes_[leaf].polls,
                             .patient = nodes_[leaf].patient});
  leaves_.push_back(callee);
  return callee;
}

void LaneTree::leave_function(Index leaf, uint32_t lanes) {
  const Index call = nodes_[leaf].caller;
  for (Index at = leaf; at != call; at = nodes_[at].parent) nodes_[at].mask &= ~lanes;
  if (nodes_[leaf].mask != 0) return;
  remove_leaf(leaf);
  drop(leaf);
}

void LaneTree::exit(uint32_t lanes) {
  alive_ &= ~lanes;
  for (Node& node : nodes_) node.mask &= ~lanes;
  const std::vector<Index> before = leaves_;
  for (const Index leaf : before) {
    if (nodes_[leaf].mask != 0) continue;
    remove_leaf(leaf);
    drop(leaf);
  }
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

bool LaneTree::join(Index leaf, Index other) {
  Node& into = nodes_[leaf];
  const Node& from = nodes_[other];
  if (into.parent != from.parent || into.reconvergence != from.reconvergence || into.caller != from.caller ||
      into.step != from.step || into.block != from.block)
    return false;
  into.mask |= from.mask;
  remove_leaf(other);
  drop(other);
  return true;
}

uint32_t LaneTree::waiting_at(Index node) const {
  uint32_t below = 0;
  for (const Node& other : nodes_)
    if (other.parent == node) below |= other.mask;
  return nodes_[node].mask & ~below;
}

bool LaneTree::release(Index leaf, const ptx::Program& program) {
  for (Index at = nodes_[leaf].parent; at != kNone; at = nodes_[at].parent) {
    const uint32_t waiting = waiting_at(at);
    if (waiting == 0) continue;
    Node& above = nodes_[at];
    above.mask &= ~waiting;
    Node node = {.block = above.block,
                 .step = program.blocks[above.block].first,
                 .reconvergence = above.reconvergence,
                 .mask = waiting,
                 .parent = above.parent,
                 .caller = above.caller};
    if (above.parent != kNone) ++nodes_[above.parent].below;
    leaves_.push_back(make(node));
    return true;
  }
  return false;
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
    node.parent = node.caller = n == 0 ? kNone : static_cast<Index>(n - 1);
    node.reconvergence = ptx::BasicBlock::kNever;
    node.below = n + 1 == chain.size() ? 0 : 1;
    node.mask = alive_;
  }
  nodes_ = std::move(chain);
  free_.clear();
  leaves_.assign(1, static_cast<Index>(nodes_.size() - 1));
}

}  // namespace lanescope::emulator
