#include "ptx/reconvergence.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

/// The graph with one added exit: node n is the virtual exit, every block reaches it.
struct Closed {
  Successors successors;    // [block], the exit as n
  Successors predecessors;  // [block or exit]
};

/// Marks all blocks that reach one that is marked.
void spread_backwards(const Successors& predecessors, std::vector<bool>& marked, uint32_t from) {
  std::vector<uint32_t> work{from};
  marked[from] = true;
  while (!work.empty()) {
    const uint32_t block = work.back();
    work.pop_back();
    for (const uint32_t before : predecessors[block]) {
      if (marked[before]) continue;
      marked[before] = true;
      work.push_back(before);
    }
  }
}

Closed close(const Successors& open) {
  const auto exit = static_cast<uint32_t>(open.size());
  Closed graph{open, Successors(open.size() + 1)};
  for (uint32_t block = 0; block < exit; ++block) {
    if (graph.successors[block].empty()) graph.successors[block].push_back(exit);
    for (const uint32_t next : graph.successors[block]) graph.predecessors[next].push_back(block);
  }
  std::vector<bool> ends(open.size() + 1);
  spread_backwards(graph.predecessors, ends, exit);
  for (uint32_t block = exit; block-- > 0;) {
    if (ends[block]) continue;
    graph.successors[block].push_back(exit);
    graph.predecessors[exit].push_back(block);
    spread_backwards(graph.predecessors, ends, block);
  }
  return graph;
}

/// Blocks in post-order of the reversed graph, from the exit.
std::vector<uint32_t> post_order(const Closed& graph) {
  struct Visit {
    uint32_t node;
    size_t next;
  };
  std::vector<uint32_t> order;
  std::vector<bool> seen(graph.predecessors.size());
  const auto exit = static_cast<uint32_t>(graph.successors.size());
  std::vector<Visit> stack{{exit, 0}};
  seen[exit] = true;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next == graph.predecessors[node].size()) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    const uint32_t before = graph.predecessors[node][next++];
    if (seen[before]) continue;
    seen[before] = true;
    stack.push_back({before, 0});
  }
  return order;
}

}  // namespace

std::vector<uint32_t> immediate_post_dominators(const Successors& successors) {
  const Closed graph = close(successors);
  const auto exit = static_cast<uint32_t>(successors.size());
  const std::vector<uint32_t> order = post_order(graph);
  std::vector<uint32_t> rank(successors.size() + 1);
  for (uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;

  constexpr uint32_t kUnknown = 0xfffffffe;
  std::vector<uint32_t> dominator(successors.size() + 1, kUnknown);
  dominator[exit] = exit;
  const auto meet = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (rank[a] < rank[b]) a = dominator[a];
      while (rank[b] < rank[a]) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = order.size() - 1; i-- > 0;) {  // the exit is last
      const uint32_t block = order[i];
      uint32_t found = kUnknown;
      for (const uint32_t next : graph.successors[block]) {
        if (dominator[next] == kUnknown) continue;
        found = found == kUnknown ? next : meet(found, next);
      }
      changed |= found != dominator[block];
      dominator[block] = found;
    }
  }
  dominator.pop_back();
  std::ranges::replace(dominator, exit, kExit);
  return dominator;
}

}  // namespace lanescope::ptx
