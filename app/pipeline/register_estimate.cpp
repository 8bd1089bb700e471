#include "pipeline/register_estimate.h"

#include <algorithm>

namespace lanescope::pipeline {
namespace {

uint32_t registers_of(const ptx::Program& program, const ptx::ProgramFunction& function) {
  uint32_t registers = 0;
  for (const ptx::Slot slot : function.slots) {
    switch (program.slots[slot].width) {
      case ptx::SlotWidth::Predicate:
        break;
      case ptx::SlotWidth::Word:
        registers += 1;
        break;
      case ptx::SlotWidth::Double:
        registers += 2;
        break;
    }
  }
  return registers;
}

}  // namespace

uint32_t estimate_registers(const ptx::Program& program) {
  if (program.functions.empty()) return 0;
  // The call graph is known only in part: the kernel and the largest of its functions.
  uint32_t largest = 0;
  for (size_t n = 1; n < program.functions.size(); ++n)
    largest = std::max(largest, registers_of(program, program.functions[n]));
  return registers_of(program, program.functions.front()) + largest;
}

}  // namespace lanescope::pipeline
