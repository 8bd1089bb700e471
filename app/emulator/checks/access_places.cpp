#include "emulator/checks/access_places.h"

#include <algorithm>

namespace lanescope::emulator {
namespace {

using ptx::Op;
using ptx::Slot;

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

}  // namespace

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

bool is_live_after(const ptx::Program& program, const ptx::Successors& successors, uint32_t block,
                   Slot slot) {
  return std::ranges::any_of(successors[block],
                             [&](uint32_t next) { return program.blocks[next].live[slot]; });
}

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
