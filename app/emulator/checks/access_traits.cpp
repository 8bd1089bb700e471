#include "emulator/checks/access_traits.h"

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

bool has_site(const ptx::Program& program, const ptx::Step& step) {
  const ptx::Space space = program.modifiers[step.modifiers].space;
  if (space == ptx::Space::Parameter || space == ptx::Space::Frame) return false;
  return ptx::is_memory(step.op);
}

bool writes(const ptx::Program& program, const ptx::Step& step, Slot slot) {
  bool does = false;
  ptx::for_each_destination(program, step, [&](Slot written) { does |= written == slot; });
  return does;
}

bool reads(const ptx::Program& program, const ptx::Step& step, Slot slot) {
  bool does = false;
  ptx::for_each_source(program, step, [&](Slot read) { does |= read == slot; });
  return does;
}

/// The parts of an address, where they are easily found: a variable or a register, and a constant.
struct Place {
  enum class Base : uint8_t { Register, Variable, Nothing };
  Base base = Base::Register;
  uint64_t number = 0;  // the slot, or the variable's index
  uint64_t offset = 0;
  bool operator==(const Place&) const = default;
};

/// The address in the slot plus `offset`.
Place place_at(const ptx::Program& program, Slot slot, uint64_t offset) {
  if (slot == ptx::kNoSlot) return {Place::Base::Nothing, 0, offset};
  const ptx::SlotInfo& info = program.slots[slot];
  switch (info.content) {
    case ptx::SlotContent::Constant:
      return {Place::Base::Nothing, 0, info.value + offset};
    case ptx::SlotContent::Symbol:
      return {Place::Base::Variable, info.value >> 32,
              offset + static_cast<uint64_t>(int64_t{static_cast<int32_t>(info.value)})};
    default:
      return {Place::Base::Register, slot, offset};
  }
}

/// Parts of an access's address, as far as the steps above the access show them.
Place place_of(const ptx::Program& program, const ptx::Step& access) {
  Place place = place_at(program, access.source[0], static_cast<uint64_t>(int64_t{access.immediate}));
  for (const ptx::Step* step = &access; step != program.steps.data();) {
    --step;
    if (place.base != Place::Base::Register) return place;
    if (!writes(program, *step, static_cast<Slot>(place.number))) continue;
    const bool moves = step->op == Op::mov || step->op == Op::cvta || step->op == Op::cvta_to;
    const bool adds = step->op == Op::add && step->source[1] != ptx::kNoSlot &&
                      program.slots[step->source[1]].content == ptx::SlotContent::Constant;
    if (!moves && !adds) return place;
    place =
        place_at(program, step->source[0], place.offset + (adds ? program.slots[step->source[1]].value : 0));
  }
  return place;
}

/// Marks as strong a plain read of the address that a compare-and-swap then updates: the value is a guess and
/// may be an old one. This is the CUDA guide's way to make an atomic of any operation.
void allow_guesses(const ptx::Program& program, std::vector<uint8_t>& traits) {
  for (const ptx::Step& swap : program.steps) {
    if (swap.op != Op::atom || program.modifiers[swap.modifiers].atomic != ptx::AtomicOperation::Cas)
      continue;
    const Place place = place_of(program, swap);
    for (const ptx::Step& guess : program.steps)
      if (guess.op == Op::ld && has_site(program, guess) && place_of(program, guess) == place)
        traits[guess.site] |= kIsStrong;
  }
}

/// True if a basic block may read the value that the slot had before the basic block began.
bool is_read_from_outside(const ptx::Program& program, Slot slot) {
  return std::ranges::any_of(program.blocks, [&](const ptx::BasicBlock& block) {
    for (uint32_t n = block.first; n < block.end; ++n) {
      if (reads(program, program.steps[n], slot)) return true;
      if (writes(program, program.steps[n], slot) && program.steps[n].guard == ptx::kNoSlot) return false;
    }
    return false;
  });
}

enum class Fate : uint8_t { Unused, Selected, Used };

/// Fate of the value that step `n` leaves in its destination. Selected: only selections use it, perhaps
/// through arithmetic. Slots are reused many times, so the value is followed in its basic block alone.
Fate fate_of(const ptx::Program& program, const ptx::BasicBlock& block, uint32_t n) {
  const ptx::Step& from = program.steps[n];
  if (from.list_written != 0) return Fate::Used;
  if (from.destination[0] == ptx::kNoSlot) return Fate::Unused;
  std::vector<Slot> carriers{from.destination[0]};
  const auto carries = [&](Slot slot) { return std::ranges::find(carriers, slot) != carriers.end(); };
  Fate fate = Fate::Unused;
  while (++n < block.end && !carriers.empty()) {
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
  const bool goes_on =
      std::ranges::any_of(carriers, [&](Slot slot) { return is_read_from_outside(program, slot); });
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
std::vector<uint32_t> barriers_before_reads(const ptx::Program& program) {
  const ptx::Successors successors = ptx::successors_of(program);
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
  AccessTraits traits{.bits = std::vector<uint8_t>(sites),
                      .is_ahead = std::vector<bool>(sites),
                      .barriers_before_reads = barriers_before_reads(program)};
  for (const ptx::BasicBlock& block : program.blocks)
    for (uint32_t n = block.first; n < block.end; ++n) {
      const ptx::Step& step = program.steps[n];
      if (!has_site(program, step)) continue;
      const ptx::Modifiers& modifiers = program.modifiers[step.modifiers];
      traits.bits[step.site] = traits_of(step, modifiers);
      const bool exchanges = step.op == Op::atom && modifiers.atomic == ptx::AtomicOperation::Exch;
      if (exchanges && fate_of(program, block, n) == Fate::Unused) traits.bits[step.site] |= kOverwrites;
      traits.is_ahead[step.site] = step.op == Op::ld && fate_of(program, block, n) == Fate::Selected;
    }
  traits.hands_over = std::ranges::any_of(program.steps, [&](const ptx::Step& step) {
    return step.op == Op::atom && program.modifiers[step.modifiers].space != ptx::Space::Shared;
  });
  allow_guesses(program, traits.bits);
  traits.signals = std::ranges::any_of(traits.bits, [](uint8_t bits) { return bits != 0; });
  return traits;
}

bool have_one_place(const ptx::Program& program, uint32_t step, uint32_t other) {
  if (step == other) return true;
  const Place place = place_of(program, program.steps[step]);
  if (place != place_of(program, program.steps[other])) return false;
  if (place.base != Place::Base::Register) return true;
  // Between the two steps, nothing may write the register.
  const auto [first, last] = std::minmax(step, other);
  return std::none_of(
      program.steps.begin() + first, program.steps.begin() + last,
      [&](const ptx::Step& between) { return writes(program, between, static_cast<Slot>(place.number)); });
}

}  // namespace lanescope::emulator
