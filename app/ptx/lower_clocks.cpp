// Steps whose results come from a clock: a loop that only reads the time makes no progress, although its
// registers change. Method: propagates from the steps that read a clock to the steps that use their results,
// to a fixed point; loads and atomics give what memory holds, whatever their address. Runs before registers
// share slots. Tests: tests/unit/emulator/scheduling_test.cpp

#include "ptx/lower_passes.h"

#include <algorithm>

namespace lanescope::ptx {

void find_timed_steps(Program& program) {
  if (std::ranges::none_of(program.steps, reads_clock)) return;
  std::vector<bool> timed(program.slots.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (Step& step : program.steps) {
      if (step.flags & Step::kTimed || is_memory(step.op)) continue;
      bool here = reads_clock(step);
      for_each_source(program, step, [&](Slot slot) { here = here || timed[slot]; });
      if (!here) continue;
      step.flags |= Step::kTimed;
      for_each_destination(program, step, [&](Slot slot) { timed[slot] = true; });
      changed = true;
    }
  }
}

}  // namespace lanescope::ptx
