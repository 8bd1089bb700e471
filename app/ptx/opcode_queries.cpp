// The functions of opcode_traits.h, from the rows of opcode.def.

#include "ptx/opcode.h"
#include "ptx/opcode_traits.h"
#include "ptx/program.h"

namespace lanescope::ptx {

const OpcodeTraits& traits_of(Op op) { return row_of(op).traits; }

bool is_memory(Op op) { return traits_of(op).access.has_value(); }

std::optional<AccessTraits> access_of(Op op) { return traits_of(op).access; }

bool loads(Op op) {
  const auto access = access_of(op);
  return access && (access->kind == MemoryKind::Load || access->kind == MemoryKind::Atomic);
}

bool stores(Op op) {
  const auto access = access_of(op);
  return access && access->kind != MemoryKind::Load;
}

bool updates_memory(Op op) {
  const auto access = access_of(op);
  return access && (access->kind == MemoryKind::Atomic || access->kind == MemoryKind::Reduction);
}

bool reads_clock(const Step& step) {
  return traits_of(step.op).has(Trait::ReadsClock) && step.source[0] == kNoSlot && step.list_size == 0;
}

bool waits_for_members(Op op) {
  return traits_of(op).members.has_value() || traits_of(op).has(Trait::WholeWarp);
}

std::optional<uint8_t> members_source(Op op) { return traits_of(op).members; }

bool ends_block(Op op) {
  switch (traits_of(op).effect) {
    case Effect::Jumps:
    case Effect::Calls:
    case Effect::Barrier:
      return true;
    case Effect::Computes:
    case Effect::Advises:
    case Effect::Accesses:
    case Effect::ReadsLanes:
    case Effect::MovesStack:
    case Effect::Synchronizes:
      return false;
  }
  return false;
}

bool is_barrier(Op op) { return traits_of(op).effect == Effect::Barrier; }
bool only_arrives(Op op) { return traits_of(op).has(Trait::OnlyArrives); }
bool reduces_predicate(Op op) { return traits_of(op).has(Trait::ReducesPredicate); }

bool never_falls_through(const Step& step) {
  return step.guard == kNoSlot && traits_of(step.op).effect == Effect::Jumps;
}

bool may_poll(const Modifiers& modifiers, Op op) {
  const OpcodeTraits& traits = traits_of(op);
  if (traits.has(Trait::PollsIfOrdered))
    return modifiers.order != MemoryOrder::None && modifiers.order != MemoryOrder::Weak;
  return traits.has(Trait::Polls);
}

}  // namespace lanescope::ptx
