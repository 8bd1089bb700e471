// Arguments and results of functions, in frames of local memory: see lower_calls.cpp.

#include "ptx/step_lowering.h"

namespace lanescope::ptx {

/// A .param address: of the launch's parameters in a kernel, else of what functions pass each other.
bool StepLowering::passes_parameters(const AddressOperand& address) const {
  if (now_->modifiers.space != Space::Parameter) return false;
  const auto* symbol = std::get_if<SymbolOperand>(&address.base);
  return symbol != nullptr ? is_in_frame(*symbol) : !is_kernel_;
}

uint16_t StepLowering::in_frame() {
  Modifiers moved = now_->modifiers;
  moved.space = Space::Frame;
  return modifiers(moved);
}

/// Whether the symbol is at an offset from the start of the function's frame.
bool StepLowering::is_in_frame(const SymbolOperand& symbol) const {
  switch (symbol.kind) {
    case SymbolKind::Parameter:
    case SymbolKind::Result:
      return !is_kernel_;
    case SymbolKind::Local: {
      const Space space = function_->variables[symbol.index].space;
      return space == Space::Parameter || (space == Space::Local && !is_kernel_);
    }
    default:
      return false;
  }
}

Result<int32_t> StepLowering::frame_offset(const SymbolOperand& symbol) const {
  if (symbol.kind == SymbolKind::Local) {
    const uint64_t offset = program_.variables[lowered_->first_variable + symbol.index].offset;
    if (offset == kNotPassed) return unsupported("a .param variable that no call passes");
    return static_cast<int32_t>(offset);
  }
  const CallLayout layout = lay_out_parameters(*function_);
  const auto& offsets = symbol.kind == SymbolKind::Result ? layout.results : layout.arguments;
  return static_cast<int32_t>(offsets[symbol.index]);
}

/// Computes the address of something in the frame, for an instruction that needs it.
Result<Slot> StepLowering::frame_address(const SymbolOperand& symbol, Type type) {
  TRY(const int32_t offset, frame_offset(symbol));
  const uint64_t total = static_cast<uint64_t>(offset) + static_cast<uint64_t>(symbol.offset);
  if (is_kernel_) return constant_slot(total, type);
  Step sum;
  sum.op = Op::add;
  sum.type = sum.second_type = Type::u64;
  sum.modifiers = modifiers({});
  sum.source[0] = lowered_->frame;
  sum.source[1] = constant_slot(total, Type::u64);
  sum.destination[0] = new_slot(SlotWidth::Double);
  push(sum);
  if (width_of(type) == SlotWidth::Double) return sum.destination[0];
  Step low = sum;
  low.op = Op::cvt;
  low.type = Type::u32;
  low.source = {sum.destination[0], kNoSlot, kNoSlot, kNoSlot};
  low.destination[0] = new_slot(SlotWidth::Word);
  push(low);
  return low.destination[0];
}

/// Registers and constants of the lists are written to the callee's frame before the call, and results read
/// after it; .param variables are there already.
Result<void> StepLowering::add_call(Step step) {
  step.list = next_call_++;
  const Call& call = program_.calls[step.list];
  const auto& results = std::get<VectorOperand>(now_->operands[0]).elements;
  const auto& arguments = std::get<VectorOperand>(now_->operands[2]).elements;
  const auto* callee = std::get_if<SymbolOperand>(&now_->operands[1]);
  const Function* formal = callee != nullptr ? &module_.functions[callee->index] : nullptr;
  const auto pass = [&](Op op, const ScalarOperand& operand, Type type, uint32_t offset) -> Result<void> {
    if (std::holds_alternative<SymbolOperand>(operand) || std::holds_alternative<Sink>(operand)) return {};
    Step move;
    move.op = op;
    move.type = type;
    move.modifiers = in_frame();
    move.guard = step.guard;
    move.flags = step.flags;
    move.source[0] = lowered_->frame;
    move.immediate = static_cast<int32_t>(call.frame_offset + offset);
    TRY(const Slot slot, slot_of(std::visit([](const auto& one) { return Operand(one); }, operand), type));
    if (width_of(type) != program_.slots[slot].width) return unsupported("a register of another size here");
    (op == Op::st ? move.source[1] : move.destination[0]) = slot;
    const auto* const reg = std::get_if<RegisterOperand>(&operand);
    const bool writes = op == Op::ld && reg != nullptr;
    push(move, writes ? std::vector{function_->registers[reg->index].name} : std::vector<std::string>());
    return {};
  };
  const auto type_of_passed = [&](const ScalarOperand& operand, const Parameter* parameter) {
    const auto* reg = std::get_if<RegisterOperand>(&operand);
    const auto bytes = parameter != nullptr ? static_cast<int>(parameter->size_bytes)
                       : reg != nullptr     ? size_bytes(function_->registers[reg->index].type)
                                            : 8;
    return bits_of(bytes).value_or(Type::b64);
  };
  for (size_t n = 0; n < arguments.size(); ++n)
    TRY_VOID(pass(Op::st, arguments[n],
                  type_of_passed(arguments[n], formal != nullptr ? &formal->parameters[n] : nullptr),
                  call.arguments[n]));
  step.source[1] = lowered_->frame;
  if (const auto* pointer = std::get_if<RegisterOperand>(&now_->operands[1])) {
    if (program_.slots[slot_of_register(pointer->index)].width != SlotWidth::Double)
      return unsupported("a pointer to a function of less than 64 bits");
    step.source[0] = slot_of_register(pointer->index);
  }
  push(step);
  for (size_t n = 0; n < results.size(); ++n)
    TRY_VOID(pass(Op::ld, results[n],
                  type_of_passed(results[n], formal != nullptr ? &formal->results[n] : nullptr),
                  call.results[n]));
  return {};
}

}  // namespace lanescope::ptx
