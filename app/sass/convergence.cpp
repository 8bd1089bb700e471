#include "sass/convergence.h"

#include "sass/control_flow.h"
#include "sass/ptx_places.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::sass {
namespace {

using Kind = ConvergenceInstruction::Kind;

std::optional<Kind> kind_of(ControlInstruction::Kind kind) {
  switch (kind) {
    case ControlInstruction::Kind::Bssy:
      return Kind::Bssy;
    case ControlInstruction::Kind::Bsync:
      return Kind::Bsync;
    case ControlInstruction::Kind::Break:
      return Kind::Break;
    case ControlInstruction::Kind::Warpsync:
      return Kind::Warpsync;
    default:
      return std::nullopt;
  }
}

bool encloses(const ConvergenceInstruction& bssy, uint32_t pc) {
  return bssy.kind == Kind::Bssy && bssy.pc < pc && pc < bssy.target;
}

}  // namespace

std::vector<ConvergenceInstruction> convergence_of(const MachineFunction& function,
                                                   const ptx::Program& program) {
  const PtxPlaces places(program);
  std::vector<ConvergenceInstruction> all;
  for (uint32_t pc = 0; pc + kInstructionBytes <= function.code.size(); pc += kInstructionBytes) {
    const auto control = control_at(function, pc);
    const auto kind = control ? kind_of(control->kind) : std::nullopt;
    if (!kind) continue;
    ConvergenceInstruction instruction{
        .kind = *kind, .pc = pc, .ptx_line = function.line_at(pc), .barrier = control->barrier};
    if (kind == Kind::Bssy) instruction.target = control->target.value_or(0);
    instruction.where = places.at(instruction.ptx_line);
    all.push_back(std::move(instruction));
  }
  return all;
}

const ConvergenceInstruction* bssy_of(const std::vector<ConvergenceInstruction>& all,
                                      const ConvergenceInstruction& instruction) {
  if (instruction.kind != Kind::Bsync && instruction.kind != Kind::Break) return nullptr;
  const ConvergenceInstruction* found = nullptr;
  for (const ConvergenceInstruction& one : all)
    if (one.barrier == instruction.barrier && encloses(one, instruction.pc)) found = &one;
  return found;
}

const ConvergenceInstruction* enclosing_bssy(const std::vector<ConvergenceInstruction>& all, uint32_t pc) {
  const ConvergenceInstruction* found = nullptr;
  for (const ConvergenceInstruction& one : all)
    if (encloses(one, pc)) found = &one;
  return found;
}

uint32_t bsync_of(const ConvergenceInstruction& bssy) { return bssy.target - kInstructionBytes; }

std::string name_of(const ConvergenceInstruction& instruction) {
  switch (instruction.kind) {
    case Kind::Bssy:
      return "BSSY";
    case Kind::Bsync:
      return "BSYNC";
    case Kind::Break:
      return "BREAK";
    case Kind::Warpsync:
      break;
  }
  return "WARPSYNC";
}

std::string operands_of(const ConvergenceInstruction& instruction) {
  if (instruction.kind == Kind::Warpsync) return {};
  std::string operands = fmt::format("B{}", instruction.barrier);
  if (instruction.kind == Kind::Bssy) operands += fmt::format(", 0x{:x}", instruction.target);
  return operands;
}

}  // namespace lanescope::sass
