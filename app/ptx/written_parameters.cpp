// Parameters through which a kernel may write or read. Method: a parameter's value flows into registers and
// into memory, and from memory into every load; repeated until nothing changes. A store writes through all
// parameters whose values are in its address and a load reads through them. A copy may read anything. Tests:
// tests/unit/ptx/lower_test.cpp

#include "ptx/lower_passes.h"

#include <algorithm>

namespace lanescope::ptx {

void find_written_parameters(Program& program) {
  // [slot] parameters whose value may have flowed into it, a bit each; the last bit is for all others.
  std::vector<uint64_t> from(program.slots.size());
  uint64_t in_memory = 0;  // flowed into memory, and back out of it with any load
  uint64_t written = 0, read = 0;
  const auto bit_of = [](size_t parameter) { return uint64_t{1} << std::min<size_t>(parameter, 63); };
  // [slot] the address of a variable may have flowed into it.
  std::vector<bool> is_named(program.slots.size());
  for (size_t n = 0; n < program.slots.size(); ++n)
    is_named[n] = program.slots[n].content == SlotContent::Symbol;
  const auto copies = [](const Step& step) {
    const auto access = access_of(step.op);
    return access && access->kind == MemoryKind::AsyncCopy;
  };
  const auto reads_buffers = [&](const Step& step) {
    const Space space = program.modifiers[step.modifiers].space;
    return loads(step.op) && (space == Space::Global || space == Space::Generic);
  };
  // A store to an address that no parameter, load or variable gave, as a number in the PTX, may hit any
  // buffer; so may a load through a pointer that was loaded.
  const auto is_anywhere = [&](const Step& step) {
    const Space space = program.modifiers[step.modifiers].space;
    return (space == Space::Global || space == Space::Generic) && from[step.source[0]] == 0 &&
           !is_named[step.source[0]];
  };
  const auto loaded = [&](const Step& step) -> uint64_t {
    if (program.modifiers[step.modifiers].space != Space::Parameter) return in_memory;
    const SlotInfo& base = program.slots[step.source[0]];
    uint64_t parameters = 0;
    const uint64_t begin = base.value + static_cast<uint64_t>(step.immediate);
    const uint64_t end = begin + 8 * std::max<uint64_t>(step.list_size, 1);
    for (size_t n = 0; n < program.parameters.size(); ++n) {
      const KernelParameter& parameter = program.parameters[n];
      if (base.content != SlotContent::Constant ||
          (parameter.offset < end && begin < parameter.offset + parameter.size_bytes))
        parameters |= bit_of(n);
    }
    return parameters;
  };
  for (bool changed = true; changed;) {
    changed = false;
    const auto add = [&](uint64_t& to, uint64_t what) {
      changed |= (to | what) != to;
      to |= what;
    };
    for (const Step& step : program.steps) {
      uint64_t flow = 0;
      for_each_source(program, step, [&](Slot slot) { flow |= from[slot]; });
      if (stores(step.op)) {
        add(written, from[step.source[0]]);
        add(in_memory, flow);
      }
      if (reads_buffers(step)) add(read, from[step.source[0]]);
      if (loads(step.op)) flow = loaded(step);
      bool named = false;
      for_each_source(program, step, [&](Slot slot) { named = named || is_named[slot]; });
      for_each_destination(program, step, [&](Slot slot) {
        add(from[slot], flow);
        changed |= named && !is_named[slot];
        is_named[slot] = is_named[slot] || named;
      });
    }
  }
  for (const Step& step : program.steps) {
    if (stores(step.op) && is_anywhere(step)) written = ~uint64_t{0};
    if ((reads_buffers(step) && is_anywhere(step)) || copies(step)) read = ~uint64_t{0};
  }
  for (size_t n = 0; n < program.parameters.size(); ++n) {
    program.parameters[n].may_be_written = (written & bit_of(n)) != 0;
    program.parameters[n].may_be_read = (read & bit_of(n)) != 0;
  }
}

}  // namespace lanescope::ptx
