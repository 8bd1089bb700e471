#include "emulator/checks/overlapping_arrays.h"

#include "base/source_name.h"
#include "emulator/checks/race_text.h"

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

/// Number of the extern __shared__ array that the step accesses; absent if it accesses none.
std::optional<uint32_t> extern_array_of(const ptx::Program& program, const ptx::Step& step) {
  const ptx::Space space = program.modifiers[step.modifiers].space;
  if (!ptx::is_memory(step.op) || space == ptx::Space::Parameter || space == ptx::Space::Frame) return {};
  const ptx::AddressBase& base = program.sites[step.site].base;
  if (base.kind != ptx::AddressBase::Kind::Variable) return {};
  const ptx::ProgramVariable& variable = program.variables[base.number];
  return variable.space == ptx::Space::Shared && variable.size_bytes == 0 ? std::optional(base.number)
                                                                          : std::nullopt;
}

}  // namespace

std::optional<trace::Hazard> note_on_overlap(const Code& code) {
  const ptx::Program& program = *code.program;
  std::optional<uint32_t> first;
  for (uint32_t step = 0; step < program.steps.size(); ++step) {
    const std::optional<uint32_t> array = extern_array_of(program, program.steps[step]);
    if (!array) continue;
    if (!first) first = array;
    if (*first == *array) continue;
    trace::Hazard note = hazard_at(code, {step, 0, {0, 0, 0}}, trace::HazardKind::OverlappingArrays);
    note.message = fmt::format(
        "{} '{}', which is an extern __shared__ array as '{}' is, and begins at the same address; that is "
        "fine if the two are not in use at a time, and else a mistake: add an offset to one",
        verb_of(code, step), variable_name_of(program.variables[*array].name),
        variable_name_of(program.variables[*first].name));
    return note;
  }
  return std::nullopt;
}

}  // namespace lanescope::emulator
