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

/// Steps whose execution the value of a plain load decides. Such a step has a predicate that a comparison of
/// the value gives, or comes after a branch or an exit that has it.
class TestedSteps {
 public:
  /// Finds the steps of the load `n`.
  TestedSteps(const ControlFlow& flow, uint32_t n) : flow_(flow) {
    const ptx::Program& program = flow.program;
    const uint32_t block = flow.block_of[n];
    Slot value = program.steps[n].destination[0];
    if (value == ptx::kNoSlot || program.steps[n].list_written != 0) return;
    const uint32_t end = program.blocks[block].end;
    Slot truth = ptx::kNoSlot;
    for (uint32_t at = n + 1; at < end; ++at) {
      const ptx::Step& step = program.steps[at];
      if (truth != ptx::kNoSlot && step.guard == truth) guarded_.push_back(at);
      if (value != ptx::kNoSlot && step.op == Op::setp && reads(program, step, value)) {
        truth = step.destination[0];
      } else if (writes(program, step, truth)) {
        truth = ptx::kNoSlot;
      }
      if (writes(program, step, value)) value = ptx::kNoSlot;
    }
    if (!guarded_.empty() && guarded_.back() + 1 == end && leaves_block(program.steps[end - 1]))
      add_blocks_after(block);
  }

  bool is_any() const { return !guarded_.empty(); }
  bool contains(uint32_t step) const {
    return std::ranges::binary_search(guarded_, step) || (!blocks_.empty() && blocks_[flow_.block_of[step]]);
  }

 private:
  static bool leaves_block(const ptx::Step& step) { return step.op == Op::bra || step.op == Op::exit; }

  /// Adds the basic blocks to which each way leads through the end of `block`, and through one of its
  /// branches.
  void add_blocks_after(uint32_t block) {
    blocks_.resize(flow_.successors.size());
    std::vector<uint32_t> open{block};
    while (!open.empty()) {
      const uint32_t at = open.back();
      open.pop_back();
      for (const uint32_t next : flow_.successors[at]) {
        if (next == block || blocks_[next] || flow_.ways_in[next] != 1) continue;
        blocks_[next] = true;
        open.push_back(next);
      }
    }
  }

  const ControlFlow& flow_;
  std::vector<uint32_t> guarded_;  // steps of the load's basic block; rising
  std::vector<bool> blocks_;       // [basic block] empty if no branch depends on the value
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

/// Calls f(tested steps of the load, load, access) for each plain load and each access of which `wanted` is
/// true, where both have one address and the load's value decides whether the access is made.
template <class Wanted, class F>
void for_each_tested(const ControlFlow& flow, Wanted&& wanted, F&& f) {
  const ptx::Program& program = flow.program;
  std::vector<uint32_t> accesses;
  for (uint32_t m = 0; m < program.steps.size(); ++m)
    if (wanted(program.steps[m])) accesses.push_back(m);
  if (accesses.empty()) return;
  for (uint32_t n = 0; n < program.steps.size(); ++n) {
    if (!is_plain_load(program, program.steps[n])) continue;
    const TestedSteps tested(flow, n);
    if (!tested.is_any()) continue;
    for (const uint32_t m : accesses)
      if (tested.contains(m) && have_one_place(program, n, m)) f(tested, n, m);
  }
}

}  // namespace

ControlFlow::ControlFlow(const ptx::Program& all)
    : program(all),
      successors(ptx::successors_of(all)),
      ways_in(successors.size()),
      block_of(all.steps.size()) {
  for (const ptx::ProgramFunction& function : all.functions) ++ways_in[function.entry];
  for (const auto& next : successors)
    for (const uint32_t block : next) ++ways_in[block];
  for (uint32_t block = 0; block < all.blocks.size(); ++block)
    std::fill(block_of.begin() + all.blocks[block].first, block_of.begin() + all.blocks[block].end, block);
}

void allow_guesses(const ControlFlow& flow, std::vector<uint8_t>& traits) {
  const ptx::Program& program = flow.program;
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
      flow, [&](const ptx::Step& step) { return is_idempotent(operation_of(step)); },
      [&](const TestedSteps&, uint32_t test, uint32_t) { traits[program.steps[test].site] |= kIsStrong; });
}

std::vector<bool> sets_after_tests(const ControlFlow& flow) {
  const ptx::Program& program = flow.program;
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
  for_each_tested(flow, is_store, [&](const TestedSteps& tested, uint32_t, uint32_t m) {
    // A thread that passes a stale test repeats all that depends on the test: a lock, or a counter, is no
    // set.
    bool may_repeat = is_of_one_value(m);
    for (uint32_t other = 0; may_repeat && other < program.steps.size(); ++other)
      may_repeat = !changes_memory(program.steps[other]) || is_of_one_value(other) || !tested.contains(other);
    if (may_repeat) sets[program.steps[m].site] = true;
  });
  return sets;
}

bool is_only_compared(const ControlFlow& flow, uint32_t n) {
  const ptx::Program& program = flow.program;
  const uint32_t block = flow.block_of[n];
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
  return is_compared && !is_live_after(program, flow.successors, block, value);
}

}  // namespace lanescope::emulator
