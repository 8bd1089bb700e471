#include "emulator/checks/access_traits.h"

#include "emulator/checks/access_idioms.h"
#include "emulator/checks/access_places.h"
#include "ptx/lower_passes.h"

#include <algorithm>
#include <utility>

namespace lanescope::emulator {
namespace {

using ptx::Op;
using ptx::Slot;

uint8_t traits_of(const ptx::Step& step, const ptx::Modifiers& modifiers) {
  uint8_t traits = 0;
  if (ptx::updates_memory(step.op)) traits |= kIsStrong;
  if (step.op == Op::atom) traits |= kAcquires;
  switch (modifiers.order) {
    case ptx::MemoryOrder::None:
    case ptx::MemoryOrder::Weak:
      break;
    case ptx::MemoryOrder::Volatile:
      traits |= kIsStrong | kIsVolatile;
      break;
    case ptx::MemoryOrder::Release:
    case ptx::MemoryOrder::AcquireRelease:
    case ptx::MemoryOrder::SequentiallyConsistent:
      traits |= kIsStrong | kIsFence;
      break;
    default:
      traits |= kIsStrong;
  }
  if (traits != 0 && step.op == Op::ld) traits |= kAcquires;
  return traits;
}

enum class Fate : uint8_t { Unused, Selected, Used };

/// Fate of the value that step `n` leaves in its destination. Selected: only selections use it, perhaps
/// through arithmetic. Slots are reused many times, so the value is followed in its basic block alone.
Fate fate_of(const ControlFlow& flow, uint32_t n) {
  const ptx::Program& program = flow.program;
  const uint32_t block = flow.block_of[n];
  const ptx::Step& from = program.steps[n];
  if (from.list_written != 0) return Fate::Used;
  if (from.destination[0] == ptx::kNoSlot) return Fate::Unused;
  std::vector<Slot> carriers{from.destination[0]};
  const auto carries = [&](Slot slot) { return std::ranges::find(carriers, slot) != carriers.end(); };
  Fate fate = Fate::Unused;
  while (++n < program.blocks[block].end && !carriers.empty()) {
    const ptx::Step& step = program.steps[n];
    bool takes = false;
    ptx::for_each_source(program, step, [&](Slot slot) { takes |= carries(slot); });
    const bool selects = takes && step.op == Op::selp && !carries(step.source[2]);
    if (takes &&
        ((!selects && !ptx::traits_of(step.op).has(ptx::Trait::Arithmetic)) || step.guard != ptx::kNoSlot))
      return Fate::Used;
    if (step.guard == ptx::kNoSlot)
      ptx::for_each_destination(program, step, [&](Slot slot) { std::erase(carriers, slot); });
    if (takes) fate = Fate::Selected;
    if (takes && !selects) carriers.push_back(step.destination[0]);
  }
  const bool goes_on = std::ranges::any_of(
      carriers, [&](Slot slot) { return is_live_after(program, flow.successors, block, slot); });
  return goes_on ? Fate::Used : fate;
}

/// Basic blocks that control can reach from `open` without passing through those that are `closed`.
std::vector<bool> reached_from(const ptx::Successors& successors, std::vector<uint32_t> open,
                               const std::vector<bool>& closed) {
  std::vector<bool> seen(successors.size());
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    if (seen[at] || closed[at]) continue;
    seen[at] = true;
    open.insert(open.end(), successors[at].begin(), successors[at].end());
  }
  return seen;
}

bool reads_shared(const ptx::Program& program, const ptx::BasicBlock& block) {
  return std::any_of(
      program.steps.begin() + block.first, program.steps.begin() + block.end, [&](const ptx::Step& step) {
        return step.op == Op::ld && program.modifiers[step.modifiers].space == ptx::Space::Shared;
      });
}

/// AccessTraits::barriers_before_reads. A thread that skips such a barrier has not returned early: it
/// continues in code that also follows the barrier. Only a run of the kernel shows which threads skip it.
std::vector<uint32_t> barriers_before_reads(const ControlFlow& flow) {
  const ptx::Program& program = flow.program;
  const ptx::Successors& successors = flow.successors;
  const auto exits = [&](uint32_t block) {
    return program.steps[program.blocks[block].end - 1].op == Op::exit;
  };
  const std::vector<bool> nothing(program.blocks.size());
  std::vector<bool> reads(program.blocks.size());
  for (uint32_t block = 0; block < reads.size(); ++block)
    reads[block] = reads_shared(program, program.blocks[block]);
  std::vector<uint32_t> barriers;
  for (uint32_t block = 0; block < program.blocks.size(); ++block) {
    const uint32_t last = program.blocks[block].end - 1;
    if (!ptx::is_barrier(program.steps[last].op)) continue;
    const std::vector<bool> after = reached_from(successors, successors[block], nothing);
    if (after[block]) continue;  // in a loop, where a thread may have passed it before
    std::vector<bool> closed(program.blocks.size());
    for (uint32_t n = 0; n < closed.size(); ++n) closed[n] = n == block || (after[n] && reads[n]);
    const std::vector<bool> around = reached_from(successors, {program.functions.front().entry}, closed);
    bool may_return = false;
    for (uint32_t n = 0; n < closed.size(); ++n) may_return = may_return || (around[n] && exits(n));
    if (!may_return) barriers.push_back(last);
  }
  return barriers;
}

}  // namespace

AccessTraits access_traits(const ptx::Program& program) {
  const size_t sites = std::max<size_t>(program.sites.size(), 1);
  const ControlFlow flow(program);
  AccessTraits traits{.bits = std::vector<uint8_t>(sites),
                      .is_ahead = std::vector<bool>(sites),
                      .is_set_after_test = sets_after_tests(flow),
                      .is_only_compared = std::vector<bool>(sites),
                      .barriers_before_reads = barriers_before_reads(flow)};
  for (uint32_t n = 0; n < program.steps.size(); ++n) {
    const ptx::Step& step = program.steps[n];
    if (!has_site(program, step)) continue;
    const ptx::Modifiers& modifiers = program.modifiers[step.modifiers];
    traits.bits[step.site] = traits_of(step, modifiers);
    const bool exchanges = step.op == Op::atom && modifiers.atomic == ptx::AtomicOperation::Exch;
    if (exchanges && fate_of(flow, n) == Fate::Unused) traits.bits[step.site] |= kOverwrites;
    if (step.op != Op::ld) continue;
    traits.is_ahead[step.site] = fate_of(flow, n) == Fate::Selected;
    traits.is_only_compared[step.site] = is_only_compared(flow, n);
  }
  traits.hands_over = std::ranges::any_of(program.steps, [&](const ptx::Step& step) {
    return step.op == Op::atom && program.modifiers[step.modifiers].space != ptx::Space::Shared;
  });
  allow_guesses(flow, traits.bits);
  traits.signals = std::ranges::any_of(traits.bits, [](uint8_t bits) { return bits != 0; });
  return traits;
}

}  // namespace lanescope::emulator
