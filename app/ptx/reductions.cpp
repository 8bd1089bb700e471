// Turns atomics with an unused result into reductions: the hardware counts them as such, and an unused
// increment of shared memory is cheaper still, unless its address is generic: ATOMS.POPC.INC has none.
// Method: a slot that no step reads is unused. Tests: tests/unit/ptx/lower_test.cpp

#include "ptx/lower_passes.h"

namespace lanescope::ptx {
namespace {

bool may_reduce(AtomicOperation operation) {
  return operation != AtomicOperation::Cas && operation != AtomicOperation::Exch;
}

bool is_increment(const Program& program, const Step& step) {
  if (program.modifiers[step.modifiers].atomic != AtomicOperation::Add || size_bytes(step.type) != 4 ||
      is_float(step.type) || step.source[1] == kNoSlot)
    return false;
  const SlotInfo& added = program.slots[step.source[1]];
  return added.content == SlotContent::Constant && added.value == 1;
}

}  // namespace

void find_reductions(Program& program) {
  std::vector<bool> is_read(program.slots.size());
  for (const Step& step : program.steps)
    for_each_source(program, step, [&](Slot slot) { is_read[slot] = true; });
  for (Step& step : program.steps) {
    if (step.op != Op::atom && step.op != Op::red) continue;
    bool wanted = !may_reduce(program.modifiers[step.modifiers].atomic);
    for_each_destination(program, step, [&](Slot slot) { wanted = wanted || is_read[slot]; });
    if (wanted || step.list_written != 0) continue;
    step.op = Op::red;
    step.destination[0] = kNoSlot;
    const Space space = program.modifiers[step.modifiers].space;
    const bool increments = space == Space::Shared && is_increment(program, step);
    for (uint32_t n = 0; n < site_count(space); ++n) {
      MemorySite& site = program.sites[step.site + n];
      site.operation.kind = MemoryKind::Reduction;
      if (increments) site.operation.detail = MemoryDetail::UnusedIncrement;
    }
  }
}

}  // namespace lanescope::ptx
