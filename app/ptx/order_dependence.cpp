#include "ptx/order_dependence.h"

#include "ptx/lower_passes.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace lanescope::ptx {
namespace {

/// True if the step accesses memory that the others may write meanwhile.
bool sees(Others others, const Program& program, const Step& step) {
  if (!is_memory(step.op)) return false;
  const Space space = program.modifiers[step.modifiers].space;
  return space == Space::Global || space == Space::Generic || space == Space::SharedCluster ||
         (space == Space::Shared && others == Others::Warps);
}

/// A read of memory that the others may write meanwhile.
bool polls(Others others, const Program& program, const Step& step) {
  return sees(others, program, step) && may_poll(program.modifiers[step.modifiers], step.op);
}

/// The blocks from which `last` is reached without passing `head`, and these two. Empty if `head` does not
/// reach `last`.
std::vector<bool> natural_loop(const Successors& predecessors, uint32_t head, uint32_t last) {
  std::vector<bool> loop(predecessors.size());
  loop[head] = true;
  bool closes = head == last;
  std::vector<uint32_t> open{last};
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    if (at == head) closes = true;
    if (loop[at]) continue;
    loop[at] = true;
    open.insert(open.end(), predecessors[at].begin(), predecessors[at].end());
  }
  if (!closes) loop.clear();
  return loop;
}

using SlotSet = std::vector<bool>;  // [slot]

/// Marks what the steps of a block compute from slots in `now`, or from a step for which `begins(step)` is
/// true.
template <class F>
void follow(const Program& program, const Step& step, F&& begins, SlotSet& now) {
  bool depends = begins(step);
  for_each_source(program, step, [&](Slot slot) { depends = depends || now[slot]; });
  for_each_destination(program, step,
                       [&](Slot slot) { now[slot] = depends || (step.guard != kNoSlot && now[slot]); });
}

/// Adds to what is so before a block; whether that was more.
bool join(SlotSet& before, const SlotSet& now) {
  bool grows = false;
  for (size_t slot = 0; slot < now.size(); ++slot) {
    grows = grows || (now[slot] && !before[slot]);
    before[slot] = before[slot] || now[slot];
  }
  return grows;
}

/// The result of an atomic on memory that the others update too: a ticket.
bool takes_ticket(Others others, const Program& program, const Step& step) {
  return step.op == Op::atom && sees(others, program, step);
}

/// Whether a branch that leaves the loop depends on a polling read in it.
bool ends_by_polling(Others others, const Program& program, const Successors& successors,
                     const std::vector<bool>& loop) {
  const auto begins = [&](const Step& step) { return polls(others, program, step); };
  std::vector<SlotSet> before(program.blocks.size());  // computed from such a read
  std::vector<uint32_t> open;
  for (uint32_t block = 0; block < loop.size(); ++block) {
    if (!loop[block]) continue;
    before[block].resize(program.slots.size());
    open.push_back(block);
  }
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    SlotSet now = before[block];
    const bool leaves = std::ranges::any_of(successors[block], [&](uint32_t next) { return !loop[next]; });
    for (uint32_t n = program.blocks[block].first; n < program.blocks[block].end; ++n) {
      const Step& step = program.steps[n];
      if (step.op == Op::bra && step.guard != kNoSlot && now[step.guard] && leaves) return true;
      if (step.op == Op::exit && step.guard != kNoSlot && now[step.guard]) return true;
      follow(program, step, begins, now);
    }
    for (const uint32_t next : successors[block])
      if (loop[next] && join(before[next], now) && std::ranges::find(open, next) == open.end())
        open.push_back(next);
  }
  return false;
}

void mark_sites(const Program& program, const Step& step, std::vector<bool>& sites) {
  const Space space = program.modifiers[step.modifiers].space;
  if (!is_memory(step.op) || space == Space::Parameter || space == Space::Frame) return;
  for (uint32_t n = step.site; n < std::min<size_t>(step.site + site_count(space), sites.size()); ++n)
    sites[n] = true;
}

/// Marks the accesses whose address is computed from a ticket.
void mark_tickets(Others others, const Program& program, const Successors& successors,
                  std::vector<bool>& sites) {
  const auto begins = [&](const Step& step) { return takes_ticket(others, program, step); };
  std::vector<SlotSet> before(program.blocks.size(), SlotSet(program.slots.size()));
  std::vector<uint32_t> open(program.blocks.size());
  std::iota(open.begin(), open.end(), 0u);
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    SlotSet now = before[block];
    for (uint32_t n = program.blocks[block].first; n < program.blocks[block].end; ++n) {
      const Step& step = program.steps[n];
      if (is_memory(step.op) && step.source[0] != kNoSlot && now[step.source[0]])
        mark_sites(program, step, sites);
      follow(program, step, begins, now);
    }
    for (const uint32_t next : successors[block])
      if (join(before[next], now) && std::ranges::find(open, next) == open.end()) open.push_back(next);
  }
}

/// Marks the accesses in loops that end by polling.
void mark_polling_loops(Others others, const Program& program, const Successors& successors,
                        std::vector<bool>& sites) {
  Successors predecessors(successors.size());
  for (uint32_t block = 0; block < successors.size(); ++block)
    for (const uint32_t next : successors[block]) predecessors[next].push_back(block);
  for (uint32_t last = 0; last < successors.size(); ++last) {
    for (const uint32_t head : successors[last]) {
      if (head > last) continue;
      const std::vector<bool> loop = natural_loop(predecessors, head, last);
      if (loop.empty() || !ends_by_polling(others, program, successors, loop)) continue;
      for (uint32_t block = 0; block < loop.size(); ++block)
        for (uint32_t n = program.blocks[block].first; loop[block] && n < program.blocks[block].end; ++n)
          mark_sites(program, program.steps[n], sites);
    }
  }
}

}  // namespace

std::vector<bool> sites_that_depend_on(Others others, const Program& program) {
  std::vector<bool> sites(program.sites.size());
  const auto has = [&](auto is_wanted) {
    return std::ranges::any_of(program.steps,
                               [&](const Step& step) { return is_wanted(others, program, step); });
  };
  const bool has_tickets = has(takes_ticket);
  const bool has_polls = has(polls);
  if (!has_tickets && !has_polls) return sites;
  const Successors successors = successors_of(program);
  if (has_tickets) mark_tickets(others, program, successors, sites);
  if (has_polls) mark_polling_loops(others, program, successors, sites);
  return sites;
}

}  // namespace lanescope::ptx
