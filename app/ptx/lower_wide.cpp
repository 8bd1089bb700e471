// Values of 128 bits. Method: a register of them is two slots of 64 bits, low and high; a move of one is two
// moves, an access to memory one of a vector of two, an atomic one whose list has the halves of all its
// operands. Source: PTX ISA, "Data Movement: mov, ld, st", "Parallel Synchronization: atom".
// Tests: tests/unit/emulator/wide_test.cpp

#include "ptx/step_lowering.h"

namespace lanescope::ptx {

/// The slots of both halves of a register or of a vector {low, high}.
Result<std::array<Slot, 2>> StepLowering::halves_of(const Operand& operand) {
  if (const auto* reg = std::get_if<RegisterOperand>(&operand)) {
    const auto high = high_slots_.find(reg->index);
    if (high == high_slots_.end()) return unsupported("this operand of 128 bits");
    return std::array{slot_of_register(reg->index), high->second};
  }
  const auto* vector = std::get_if<VectorOperand>(&operand);
  if (vector == nullptr || vector->elements.size() != 2) return unsupported("this operand of 128 bits");
  std::array<Slot, 2> halves{kNoSlot, kNoSlot};
  for (size_t n = 0; n < halves.size(); ++n) {
    const ScalarOperand& element = vector->elements[n];
    if (std::holds_alternative<Sink>(element)) continue;
    TRY(halves[n], slot_of(std::visit([](const auto& one) { return Operand(one); }, element), Type::b64));
  }
  return halves;
}

/// Names of what a destination's halves are, for histories.
std::vector<std::string> StepLowering::names_of_halves(const Operand& operand) const {
  if (const auto* reg = std::get_if<RegisterOperand>(&operand)) {
    const std::string& name = function_->registers[reg->index].name;
    return {name + " (low)", name + " (high)"};
  }
  std::vector<std::string> names;
  for (const ScalarOperand& element : std::get<VectorOperand>(operand).elements)
    if (const auto* reg = std::get_if<RegisterOperand>(&element))
      names.push_back(function_->registers[reg->index].name);
  return names;
}

Result<void> StepLowering::add_wide(Step step) {
  const auto& operands = now_->operands;
  step.type = Type::b64;
  if (step.op == Op::mov) return add_wide_move(step);
  const OpcodeTraits& traits = traits_of(step.op);
  if (!traits.has(Trait::Takes128Bits)) return unsupported("a 128-bit type");
  if (now_->modifiers.vector_width != 1) return unsupported("a vector of 128-bit values");
  const auto& address = std::get<AddressOperand>(operands[*traits.address]);
  TRY_VOID(add_address(step, 0, address));
  if (passes_parameters(address)) step.modifiers = in_frame();
  step.list = static_cast<uint32_t>(program_.lists.size());
  std::vector<std::string> written;
  for (size_t n = 0; n < operands.size(); ++n) {
    if (std::holds_alternative<AddressOperand>(operands[n]) || std::holds_alternative<Absent>(operands[n]))
      continue;
    const bool is_destination = n == 0 && loads(step.op);
    std::array<Slot, 2> halves{kNoSlot, kNoSlot};
    if (!std::holds_alternative<Sink>(operands[n])) {
      TRY(halves, halves_of(operands[n]));
      if (is_destination) written = names_of_halves(operands[n]);
    }
    program_.lists.insert(program_.lists.end(), halves.begin(), halves.end());
    step.list_size = static_cast<uint8_t>(step.list_size + halves.size());
    if (is_destination) step.list_written = step.list_size;
  }
  if (now_->modifiers.space != Space::Parameter) TRY_VOID(add_sites(step));
  push(step, std::move(written));
  return {};
}

/// Half by half. No source is overwritten in between: the halves of a register cannot be named.
Result<void> StepLowering::add_wide_move(Step step) {
  TRY(const auto to, halves_of(now_->operands[0]));
  TRY(const auto from, halves_of(now_->operands[1]));
  const std::vector<std::string> names = names_of_halves(now_->operands[0]);
  size_t name = 0;
  for (size_t n = 0; n < to.size(); ++n) {
    if (to[n] == kNoSlot) continue;
    step.destination[0] = to[n];
    step.source[0] = from[n];
    push(step, {names[name++]});
  }
  return {};
}

}  // namespace lanescope::ptx
