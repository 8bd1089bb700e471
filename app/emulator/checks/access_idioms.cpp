#include "emulator/checks/access_idioms.h"

#include "emulator/checks/access_bits.h"
#include "emulator/checks/access_places.h"

#include <algorithm>

namespace lanescope::emulator {
namespace {

using ptx::Op;
using ptx::Slot;

bool is_plain_load(const ptx::Program& program, const ptx::Step& step) {
  const ptx::MemoryOrder order = program.modifiers[step.modifiers].order;
  return step.op == Op::ld && has_site(program, step) &&
         (order == ptx::MemoryOrder::None || order == ptx::MemoryOrder::Weak);
}

/// Values that no stale read spoils: an update that is repeated, or made too often, changes nothing.
bool is_idempotent(ptx::AtomicOperation operation) {
  return operation == ptx::AtomicOperation::Min || operation == ptx::AtomicOperation::Max ||
         operation == ptx::AtomicOperation::And || operation == ptx::AtomicOperation::Or;
}

/// Branches that decide whether a step is executed.
class Branches {
 public:
  explicit Branches(const ptx::Program& program)
      : program_(program), successors_(ptx::successors_of(program)), ways_in_(successors_.size()) {
    for (const auto& next : successors_)
      for (const uint32_t block : next) ++ways_in_[block];
  }

  /// True if the value of the load `n`, of the basic block `block`, decides whether the step `m` is executed:
  /// `m` has a predicate that a comparison of the value gives, or comes after a branch or an exit that has
  /// it.
  bool decides(uint32_t block, uint32_t n, uint32_t m) const {
    const ptx::BasicBlock& here = program_.blocks[block];
    Slot value = program_.steps[n].destination[0];
    if (value == ptx::kNoSlot || program_.steps[n].list_written != 0) return false;
    Slot truth = ptx::kNoSlot;
    for (uint32_t at = n + 1; at < here.end; ++at) {
      const ptx::Step& step = program_.steps[at];
      if (truth != ptx::kNoSlot && step.guard == truth && (at == m || at + 1 == here.end))
        return at == m || follows(block, m);
      if (value != ptx::kNoSlot && step.op == Op::setp && reads(program_, step, value)) {
        truth = step.destination[0];
      } else if (writes(program_, step, truth)) {
        truth = ptx::kNoSlot;
      }
      if (writes(program_, step, value)) value = ptx::kNoSlot;
    }
    return false;
  }

 private:
  /// True if each way to the step `m` leads through the end of the basic block, and through one of its
  /// branches.
  bool follows(uint32_t block, uint32_t m) const {
    for (const uint32_t next : successors_[block]) {
      if (next == block || ways_in_[next] != 1) continue;
      const ptx::BasicBlock& there = program_.blocks[next];
      if ((there.first <= m && m < there.end) || follows(next, m)) return true;
    }
    return false;
  }

  const ptx::Program& program_;
  ptx::Successors successors_;
  std::vector<uint32_t> ways_in_;  // [basic block] from how many ends of basic blocks it is reached
};

/// True if all threads of the grid have one value in the slot before step `n`, as far as the steps above
/// show: a constant, a parameter, or what follows from these. `depth`: steps back that are still looked at.
bool is_of_grid(const ptx::Program& program, uint32_t n, Slot slot, int depth) {
  const ptx::SlotInfo& info = program.slots[slot];
  if (info.content == ptx::SlotContent::Constant) return true;
  if (info.content == ptx::SlotContent::Special || info.content == ptx::SlotContent::Symbol || depth == 0)
    return false;
  while (n-- > 0) {
    const ptx::Step& step = program.steps[n];
    if (!writes(program, step, slot)) continue;
    if (step.guard != ptx::kNoSlot) return false;
    if (step.op == Op::ld) return program.modifiers[step.modifiers].space == ptx::Space::Parameter;
    if (step.op != Op::mov && !ptx::traits_of(step.op).has(ptx::Trait::Arithmetic)) return false;
    bool all = true;
    ptx::for_each_source(program, step,
                         [&](Slot from) { all = all && is_of_grid(program, n, from, depth - 1); });
    return all;
  }
  return false;
}

/// Calls f(branches, basic block, load, access) for each plain load and each access of which `wanted` is
/// true, where both have one address and the load's value decides whether the access is made.
template <class Wanted, class F>
void for_each_tested(const ptx::Program& program, Wanted&& wanted, F&& f) {
  std::vector<uint32_t> accesses;
  for (uint32_t m = 0; m < program.steps.size(); ++m)
    if (wanted(program.steps[m])) accesses.push_back(m);
  if (accesses.empty()) return;
  const Branches branches(program);
  for (uint32_t block = 0; block < program.blocks.size(); ++block)
    for (uint32_t n = program.blocks[block].first; n < program.blocks[block].end; ++n) {
      if (!is_plain_load(program, program.steps[n])) continue;
      for (const uint32_t m : accesses)
        if (have_one_place(program, n, m) && branches.decides(block, n, m)) f(branches, block, n, m);
    }
}

}  // namespace

void allow_guesses(const ptx::Program& program, std::vector<uint8_t>& traits) {
  const auto operation_of = [&](const ptx::Step& step) {
    return ptx::updates_memory(step.op) && has_site(program, step) ? program.modifiers[step.modifiers].atomic
                                                                   : ptx::AtomicOperation::None;
  };
  for (const ptx::Step& swap : program.steps) {
    if (operation_of(swap) != ptx::AtomicOperation::Cas) continue;
    const Place place = place_of(program, swap);
    for (const ptx::Step& guess : program.steps)
      if (guess.op == Op::ld && has_site(program, guess) && place_of(program, guess) == place)
        traits[guess.site] |= kIsStrong;
  }
  for_each_tested(
      program, [&](const ptx::Step& step) { return is_idempotent(operation_of(step)); },
      [&](const Branches&, uint32_t, uint32_t test, uint32_t) {
        traits[program.steps[test].site] |= kIsStrong;
      });
}

std::vector<bool> sets_after_tests(const ptx::Program& program) {
  std::vector<bool> sets(std::max<size_t>(program.sites.size(), 1));
  const auto is_store = [&](const ptx::Step& step) {
    const ptx::Modifiers& modifiers = program.modifiers[step.modifiers];
    return step.op == Op::st && has_site(program, step) && modifiers.space == ptx::Space::Global &&
           modifiers.order <= ptx::MemoryOrder::Weak && step.list_size == 0 && step.source[1] != ptx::kNoSlot;
  };
  const auto is_of_one_value = [&](uint32_t m) {
    constexpr int kDepth = 8;
    return is_store(program.steps[m]) && is_of_grid(program, m, program.steps[m].source[1], kDepth);
  };
  const auto changes_memory = [&](const ptx::Step& step) {
    return ptx::updates_memory(step.op) || step.op == Op::call ||
           (ptx::is_memory(step.op) && step.op != Op::ld);
  };
  for_each_tested(program, is_store, [&](const Branches& branches, uint32_t block, uint32_t n, uint32_t m) {
    // A thread that passes a stale test repeats all that depends on the test: a lock, or a counter, is no
    // set.
    bool may_repeat = is_of_one_value(m);
    for (uint32_t other = 0; may_repeat && other < program.steps.size(); ++other)
      may_repeat = !changes_memory(program.steps[other]) || is_of_one_value(other) ||
                   !branches.decides(block, n, other);
    if (may_repeat) sets[program.steps[m].site] = true;
  });
  return sets;
}

bool is_only_compared(const ptx::Program& program, const ptx::Successors& successors, uint32_t block,
                      uint32_t n) {
  const Slot value = program.steps[n].destination[0];
  if (value == ptx::kNoSlot || program.steps[n].list_written != 0) return false;
  bool is_compared = false;
  while (++n < program.blocks[block].end) {
    const ptx::Step& step = program.steps[n];
    if (reads(program, step, value)) {
      if (step.op != Op::setp) return false;
      is_compared = true;
    }
    if (writes(program, step, value) && step.guard == ptx::kNoSlot) return is_compared;
  }
  return is_compared && !is_live_after(program, successors, block, value);
}

}  // namespace lanescope::emulator
