#include "ptx/block_order.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <utility>

namespace lanescope::ptx {
namespace {

constexpr uint32_t kNone = 0xffffffff;
constexpr uint32_t kDeepestLoop = 64;
/// Blocks looked at for `pending`, for each block of the program and at least.
constexpr uint64_t kStepsPerBlock = 256;
constexpr uint64_t kFewestSteps = 1 << 20;

Successors reversed(const Successors& successors) {
  Successors predecessors(successors.size());
  for (uint32_t block = 0; block < successors.size(); ++block)
    for (const uint32_t next : successors[block]) predecessors[next].push_back(block);
  return predecessors;
}

/// Numbers the blocks of a graph, loop by loop.
class Numbering {
 public:
  Numbering(const Successors& successors, const Successors& predecessors)
      : successors_(successors),
        predecessors_(predecessors),
        subset_(successors.size(), kNone),
        component_(successors.size()),
        rank_(successors.size()),
        low_(successors.size()),
        loop(successors.size(), kNone) {
    order.position.resize(successors.size());
    order.round_end.resize(successors.size());
    order.pending.resize(successors.size());
    order.round_pending.resize(successors.size());
    std::vector<uint32_t> all(successors.size());
    for (uint32_t block = 0; block < all.size(); ++block) all[block] = block;
    number(all, kNone, 0);
  }

 private:
  const Successors& successors_;
  const Successors& predecessors_;
  std::vector<uint32_t> subset_;  // [block] the part of the graph that is being numbered
  std::vector<uint32_t> component_;
  std::vector<uint32_t> rank_;  // Tarjan's, with low_
  std::vector<uint32_t> low_;
  uint32_t subsets_ = 0;
  uint32_t next_ = 1;

 public:
  BlockOrder order;
  std::vector<uint32_t> loop;  // [block] header of the innermost loop around it; of a header: of the next one

  bool is_in_loop(uint32_t header, uint32_t block) const {
    return order.position[header] <= order.position[block] && order.position[block] < order.round_end[header];
  }
  /// The header of the innermost loop that the block is in; kNone if there is none.
  uint32_t innermost(uint32_t block) const { return order.round_end[block] != 0 ? block : loop[block]; }
  /// Calls f(header) for each loop around `block` that `other` is not in, from the innermost.
  template <class F>
  void for_each_left(uint32_t block, uint32_t other, F&& f) const {
    for (uint32_t header = innermost(block); header != kNone && !is_in_loop(header, other);
         header = loop[header])
      f(header);
  }

 private:
  /// Strongly connected parts of the subset, by Tarjan's algorithm without recursion.
  std::vector<std::vector<uint32_t>> components(std::span<const uint32_t> blocks, uint32_t subset) {
    struct Visit {
      uint32_t block;
      size_t next;
    };
    constexpr uint32_t kDone = kNone;
    std::vector<std::vector<uint32_t>> found;
    std::vector<uint32_t> open;
    std::vector<Visit> visits;
    uint32_t count = 0;
    for (const uint32_t block : blocks) rank_[block] = 0;
    for (const uint32_t root : blocks) {
      if (rank_[root] != 0) continue;
      visits.push_back({root, 0});
      while (!visits.empty()) {
        const uint32_t block = visits.back().block;
        if (visits.back().next == 0) {
          rank_[block] = low_[block] = ++count;
          open.push_back(block);
        }
        if (visits.back().next < successors_[block].size()) {
          const uint32_t to = successors_[block][visits.back().next++];
          if (subset_[to] != subset) continue;
          if (rank_[to] == 0) {
            visits.push_back({to, 0});
          } else if (rank_[to] != kDone) {
            low_[block] = std::min(low_[block], rank_[to]);
          }
          continue;
        }
        visits.pop_back();
        if (!visits.empty()) low_[visits.back().block] = std::min(low_[visits.back().block], low_[block]);
        if (low_[block] != rank_[block]) continue;
        std::vector<uint32_t>& part = found.emplace_back();
        for (bool last = false; !last;) {
          const uint32_t member = open.back();
          open.pop_back();
          rank_[member] = kDone;
          component_[member] = static_cast<uint32_t>(found.size() - 1);
          part.push_back(member);
          last = member == block;
        }
        std::ranges::sort(part);
      }
    }
    return found;
  }

  /// Where a loop is entered: the first of its blocks that others lead to.
  uint32_t header_of(std::span<const uint32_t> part) const {
    for (const uint32_t block : part)
      for (const uint32_t before : predecessors_[block])
        if (!std::ranges::binary_search(part, before)) return block;
    return part.front();
  }

  void number(std::span<const uint32_t> blocks, uint32_t around, uint32_t depth) {
    const uint32_t subset = subsets_++;
    for (const uint32_t block : blocks) {
      subset_[block] = subset;
      loop[block] = around;
    }
    const auto parts = components(blocks, subset);
    std::vector<std::vector<uint32_t>> following(parts.size());
    std::vector<uint32_t> missing(parts.size());  // edges from parts that have no position yet
    std::vector<bool> is_loop(parts.size());
    for (const uint32_t block : blocks) {
      const uint32_t from = component_[block];
      for (const uint32_t to : successors_[block]) {
        if (subset_[to] != subset) continue;
        if (component_[to] == from) {
          is_loop[from] = true;
        } else {
          following[from].push_back(component_[to]);
          ++missing[component_[to]];
        }
      }
    }
    // Of those that may come next the first in the program.
    using Candidate = std::pair<uint32_t, uint32_t>;  // block, part
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> ready;
    for (uint32_t n = 0; n < parts.size(); ++n)
      if (missing[n] == 0) ready.emplace(parts[n].front(), n);
    while (!ready.empty()) {
      const uint32_t n = ready.top().second;
      ready.pop();
      place(parts[n], is_loop[n], around, depth);
      for (const uint32_t to : following[n])
        if (--missing[to] == 0) ready.emplace(parts[to].front(), to);
    }
  }

  void place(std::vector<uint32_t> part, bool is_loop, uint32_t around, uint32_t depth) {
    if (!is_loop) {
      order.position[part.front()] = next_++;
      return;
    }
    const uint32_t header = header_of(part);
    loop[header] = around;
    order.position[header] = next_++;
    std::erase(part, header);
    if (depth < kDeepestLoop) {
      number(part, header, depth + 1);
    } else {
      for (const uint32_t block : part) {
        loop[block] = header;
        order.position[block] = next_++;
      }
    }
    order.round_end[header] = next_++;
  }
};

class PendingPositions {
 public:
  PendingPositions(const Successors& predecessors, const std::vector<uint32_t>& dominators,
                   Numbering& numbering)
      : predecessors_(predecessors),
        dominators_(dominators),
        numbering_(numbering),
        order_(numbering.order),
        seen_(predecessors.size()),
        steps_left_(std::max(kFewestSteps, kStepsPerBlock * predecessors.size())) {}

  void find() {
    for (uint32_t block = 0; block < predecessors_.size(); ++block)
      if (paths_meet_at(block)) order_.pending[block] = positions_to(block, parting_of(block), false);
    for (uint32_t block = 0; block < predecessors_.size(); ++block)
      if (order_.round_end[block] != 0) order_.round_pending[block] = positions_to(block, kNone, true);
  }

 private:
  uint32_t position(uint32_t block) const { return order_.position[block]; }
  /// The header of the outermost loop around a block, without those around `other`; kNone if there is none.
  uint32_t loop_without(uint32_t block, uint32_t other) const {
    uint32_t found = kNone;
    numbering_.for_each_left(block, other, [&](uint32_t header) { found = header; });
    return found;
  }

  bool paths_meet_at(uint32_t block) const {
    uint32_t paths = 0;
    for (const uint32_t before : predecessors_[block]) {
      if (position(before) >= position(block)) continue;
      paths += loop_without(before, block) != kNone ? 2 : 1;  // a loop's lanes come one after the other
    }
    return paths >= 2;
  }

  /// Where the lanes that meet at the block were last together: its dominator outside of loops that it is not
  /// in.
  uint32_t parting_of(uint32_t block) const {
    uint32_t before = dominators_[block];
    while (before != kExit) {
      const uint32_t header = loop_without(before, block);
      if (header == kNone) return before;
      const uint32_t further = dominators_[header];
      if (further == kExit || position(further) >= position(before)) return kNone;
      before = further;
    }
    return kNone;
  }

  /// Lanes that can still come to the block: since they parted, or for the next round of its loop.
  std::vector<PositionRange> positions_to(uint32_t block, uint32_t parting, bool next_round) {
    const PositionRange all{next_round         ? position(block)
                            : parting == kNone ? 1
                                               : position(parting) + 1,
                            next_round ? order_.round_end[block] : position(block)};
    if (steps_left_ == 0) return {all};
    ++looked_for_;
    std::vector<uint32_t> positions;
    std::vector<uint32_t> work;
    const auto add = [&](uint32_t before) {
      if (before == parting || seen_[before] == looked_for_ || position(before) < all.begin ||
          position(before) >= all.end)
        return;
      seen_[before] = looked_for_;
      positions.push_back(position(before));
      if (order_.round_end[before] != 0 && !numbering_.is_in_loop(before, block))
        positions.push_back(order_.round_end[before]);
      work.push_back(before);
    };
    for (const uint32_t before : predecessors_[block]) add(before);
    while (!work.empty()) {
      if (--steps_left_ == 0) return {all};
      const uint32_t at = work.back();
      work.pop_back();
      for (const uint32_t before : predecessors_[at]) add(before);
    }
    std::ranges::sort(positions);
    std::vector<PositionRange> ranges;
    for (const uint32_t at : positions) {
      if (!ranges.empty() && ranges.back().end == at) {
        ++ranges.back().end;
      } else {
        ranges.push_back({at, at + 1});
      }
    }
    return ranges;
  }

  const Successors& predecessors_;
  const std::vector<uint32_t>& dominators_;
  const Numbering& numbering_;
  BlockOrder& order_;
  std::vector<uint32_t> seen_;  // [block] which search was the last to look at it
  uint32_t looked_for_ = 0;
  uint64_t steps_left_;
};

/// The graph with the blocks after each side exit of a loop in the loop. A side exit is taken in the middle
/// of a round and leads to blocks of its own, such as those before a break: the lanes that take it run them
/// at once, and do not wait for those that leave in later rounds.
class SideExits {
 public:
  SideExits(const Successors& successors, const Successors& predecessors,
            const std::vector<uint32_t>& dominators, const Numbering& numbering)
      : extended(successors),
        successors_(successors),
        predecessors_(predecessors),
        numbering_(numbering),
        order_(numbering.order),
        dominated_(successors.size()) {
    find_dominated(dominators);
    find_exits();
    for (uint32_t block = 0; block < successors.size(); ++block) extend_to(block, entered_from(block));
  }

  Successors extended;

 private:
  /// The tree of dominators, and for each block whether a path from it leads to one that it does not
  /// dominate.
  void find_dominated(const std::vector<uint32_t>& dominators) {
    const auto blocks = static_cast<uint32_t>(dominators.size());
    goes_on_.resize(blocks);
    std::vector<uint32_t> order;  // dominators before what they dominate
    for (uint32_t block = 0; block < blocks; ++block) {
      if (dominators[block] == kExit) {
        order.push_back(block);
      } else {
        dominated_[dominators[block]].push_back(block);
      }
    }
    std::vector<uint32_t> depth(blocks);
    for (size_t n = 0; n < order.size(); ++n) {
      for (const uint32_t below : dominated_[order[n]]) {
        depth[below] = depth[order[n]] + 1;
        order.push_back(below);
      }
    }
    // [block] depth of the lowest dominator that all blocks share to which paths from what it dominates lead
    std::vector<uint32_t> reached(blocks, kNone);
    for (size_t n = order.size(); n-- > 0;) {
      const uint32_t block = order[n];
      for (const uint32_t next : successors_[block]) {
        const bool is_above = order_.position[next] <= order_.position[block];
        const uint32_t shared = is_above || dominators[next] == kExit ? next : dominators[next];
        reached[block] = std::min(reached[block], depth[shared]);
      }
      for (const uint32_t below : dominated_[block])
        reached[block] = std::min(reached[block], reached[below]);
      goes_on_[block] = entered_from(block).size() > 1 || reached[block] < depth[block];
    }
  }

  /// How a loop is left. If it leads to where others come too, exits to where lanes can only end do not
  /// count.
  struct Exits {
    bool goes_on = false;  // to where others come too
    std::optional<uint32_t> to;
    bool several = false;         // to other blocks as well
    bool between_rounds = false;  // also by a branch that else begins the next round
  };

  /// The blocks that lead to this one, without those from which a loop's next round begins.
  std::vector<uint32_t> entered_from(uint32_t block) const {
    std::vector<uint32_t> from = predecessors_[block];
    std::erase_if(from, [&](uint32_t before) { return order_.position[before] >= order_.position[block]; });
    return from;
  }
  void find_exits() {
    exits_.resize(successors_.size());
    for (uint32_t block = 0; block < successors_.size(); ++block)
      for (const uint32_t next : successors_[block])
        numbering_.for_each_left(block, next,
                                 [&](uint32_t header) { exits_[header].goes_on |= goes_on_[next]; });
    for (uint32_t block = 0; block < successors_.size(); ++block) {
      for (const uint32_t next : successors_[block]) {
        numbering_.for_each_left(block, next, [&](uint32_t header) {
          Exits& exits = exits_[header];
          if (goes_on_[next] != exits.goes_on) return;
          exits.several |= exits.to.value_or(next) != next;
          exits.to = next;
          exits.between_rounds |= begins_round(header, block);
        });
      }
    }
  }
  bool begins_round(uint32_t header, uint32_t from) const {
    return std::ranges::find(successors_[from], header) != successors_[from].end();
  }

  /// Whether the loop ends by this branch: at its only exit, or between two rounds.
  bool ends_loop(uint32_t header, uint32_t from, uint32_t to) const {
    if (goes_on_[to] != exits_[header].goes_on) return false;
    if (!exits_[header].several) return true;
    return exits_[header].between_rounds ? begins_round(header, from) : from == header;
  }

  void extend_to(uint32_t block, const std::vector<uint32_t>& from) {
    if (from.empty()) return;
    const uint32_t inner = numbering_.innermost(from.front());
    if (inner == kNone || numbering_.is_in_loop(inner, block)) return;
    for (const uint32_t before : from) {
      bool ends = numbering_.innermost(before) != inner;
      numbering_.for_each_left(before, block,
                               [&](uint32_t header) { ends = ends || ends_loop(header, before, block); });
      if (ends) return;
    }
    std::vector<uint32_t> work{block};
    while (!work.empty() && added_ < kStepsPerBlock * successors_.size()) {
      const uint32_t at = work.back();
      work.pop_back();
      extended[at].push_back(inner);
      ++added_;
      work.insert(work.end(), dominated_[at].begin(), dominated_[at].end());
    }
  }

  const Successors& successors_;
  const Successors& predecessors_;
  const Numbering& numbering_;
  const BlockOrder& order_;
  std::vector<std::vector<uint32_t>> dominated_;  // [block] immediately
  std::vector<bool> goes_on_;                     // [block]
  std::vector<Exits> exits_;                      // [header]
  uint64_t added_ = 0;
};

}  // namespace

BlockOrder order_blocks(const Successors& successors) {
  const Successors predecessors = reversed(successors);
  const std::vector<uint32_t> dominators = immediate_post_dominators(predecessors);
  const Numbering plain(successors, predecessors);
  const SideExits exits(successors, predecessors, dominators, plain);
  Numbering numbering(exits.extended, predecessors);
  PendingPositions(predecessors, dominators, numbering).find();
  return std::move(numbering.order);
}

}  // namespace lanescope::ptx
