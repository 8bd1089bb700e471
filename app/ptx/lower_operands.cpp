// Operands as slots: registers, constants, special registers, addresses of variables.

#include "ptx/step_lowering.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

bool changes_while_running(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::clock:
    case SpecialRegister::clock_hi:
    case SpecialRegister::clock64:
    case SpecialRegister::globaltimer:
    case SpecialRegister::globaltimer_lo:
    case SpecialRegister::globaltimer_hi:
      return true;
    default:
      return false;
  }
}

/// MODEL: the system's part of shared memory as on compute capability 9.0, where it comes first (ptxas 13.0
/// writes the same begin, end and first offset). How it is divided is not documented; cooperative groups use
/// 288 bytes.
std::optional<uint32_t> reserved_shared_offset(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::reserved_smem_offset_begin:
    case SpecialRegister::reserved_smem_offset_0:
      return 0;
    case SpecialRegister::reserved_smem_offset_1:
      return kReservedSharedBytes / 2;
    case SpecialRegister::reserved_smem_offset_end:
    case SpecialRegister::reserved_smem_offset_cap:
      return kReservedSharedBytes;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool names_reserved_shared(const Function& function) {
  const auto is_reserved = [](const Operand& operand) {
    const auto* special = std::get_if<SpecialRegister>(&operand);
    return special != nullptr && reserved_shared_offset(*special);
  };
  return std::ranges::any_of(function.instructions, [&](const Instruction& instruction) {
    return std::ranges::any_of(instruction.operands, is_reserved);
  });
}

SlotWidth width_of(Type type) {
  if (type == Type::pred) return SlotWidth::Predicate;
  return size_bytes(type) <= 4 ? SlotWidth::Word : SlotWidth::Double;
}

Slot StepLowering::new_slot(SlotWidth width) {
  program_.slots.push_back({.width = width, .content = SlotContent::PerLane});
  return static_cast<Slot>(program_.slots.size() - 1);
}

Result<void> StepLowering::add_destination(Step& step, int n, const Operand& operand) {
  if (std::holds_alternative<Absent>(operand) || std::holds_alternative<Sink>(operand)) return {};
  if (const auto* vector = std::get_if<VectorOperand>(&operand)) {
    TRY_VOID(add_list(step, *vector, Type::b32));
    step.list_written = step.list_size;
    return {};
  }
  step.destination[static_cast<size_t>(n)] = slot_of_register(std::get<RegisterOperand>(operand).index);
  return {};
}

Result<void> StepLowering::add_source(Step& step, int n, const Operand& operand, Type type) {
  if (std::holds_alternative<Absent>(operand)) return {};
  if (const auto* vector = std::get_if<VectorOperand>(&operand)) {
    const auto parts = static_cast<int>(vector->elements.size());
    return add_list(step, *vector, step.op == Op::mov ? *bits_of(size_bytes(type) / parts) : type);
  }
  if (const auto* reg = std::get_if<RegisterOperand>(&operand); reg && reg->negated)
    step.flags |= static_cast<uint8_t>(Step::kFirstSourceNegated << n);
  if (const auto* special = std::get_if<SpecialRegister>(&operand);
      special && changes_while_running(*special)) {
    step.immediate = static_cast<int32_t>(*special);  // and no source: only mov takes one
    return {};
  }
  TRY(step.source[static_cast<size_t>(n)], slot_of(operand, type));
  return {};
}

Result<void> StepLowering::add_list(Step& step, const VectorOperand& vector, Type type) {
  if (step.list_size == 0) step.list = static_cast<uint32_t>(program_.lists.size());
  step.list_size = static_cast<uint8_t>(step.list_size + vector.elements.size());
  for (const ScalarOperand& element : vector.elements) {
    Slot slot = kNoSlot;
    if (!std::holds_alternative<Sink>(element)) {
      const Operand operand = std::visit([](const auto& one) { return Operand(one); }, element);
      TRY(slot, slot_of(operand, type));
    }
    program_.lists.push_back(slot);
  }
  return {};
}

/// The number of a layer is of another type than what follows it.
Result<void> StepLowering::add_coordinates(Step& step, VectorOperand vector, Type type) {
  if (has_layers(now_->modifiers.geometry)) {
    TRY_VOID(add_list(step, {{vector.elements.front()}}, Type::u32));
    vector.elements.erase(vector.elements.begin());
  }
  return add_list(step, vector, type);
}

Result<void> StepLowering::add_address(Step& step, int n, const AddressOperand& address) {
  const auto offset = static_cast<int32_t>(address.offset);
  if (offset != address.offset) return unsupported("an address offset beyond 32 bits");
  if (addresses_++ == 0) {
    step.immediate = offset;
  } else {
    constants_.push_back(static_cast<uint32_t>(offset));
  }
  Slot& slot = step.source[static_cast<size_t>(n)];
  if (const auto* reg = std::get_if<RegisterOperand>(&address.base)) {
    slot = slot_of_register(reg->index);
  } else if (const auto* symbol = std::get_if<SymbolOperand>(&address.base);
             symbol != nullptr && is_in_frame(*symbol)) {
    if (addresses_ > 1) return unsupported("a parameter or local variable as second address");
    TRY(const int32_t in_frame, frame_offset(*symbol));
    if (__builtin_add_overflow(step.immediate, in_frame, &step.immediate))
      return unsupported("an address offset beyond 32 bits");
    slot = lowered_->frame;
  } else if (symbol != nullptr) {
    TRY(slot, symbol_slot({.kind = symbol->kind, .index = symbol->index, .offset = 0}, Type::u64));
  } else {
    slot = constant_slot(0, Type::u64);
  }
  return {};
}

Result<Slot> StepLowering::slot_of(const Operand& operand, Type type) {
  if (const auto* reg = std::get_if<RegisterOperand>(&operand)) return slot_of_register(reg->index);
  if (const auto* immediate = std::get_if<Immediate>(&operand))
    return constant_slot(type == Type::pred ? immediate->bits != 0 : bits_as(*immediate, type), type);
  if (const auto* special = std::get_if<SpecialRegister>(&operand)) {
    if (changes_while_running(*special)) return unsupported("a clock outside of mov");
    if (const auto offset = reserved_shared_offset(*special)) return constant_slot(*offset, type);
    return fixed_slot({.width = width_of(type), .content = SlotContent::Special, .special = *special});
  }
  if (const auto* symbol = std::get_if<SymbolOperand>(&operand)) return symbol_slot(*symbol, type);
  return unsupported("this operand");
}

/// The carry flag of extended precision: a predicate like any other.
Slot StepLowering::carry_slot() {
  if (carry_ == kNoSlot) {
    carry_ = new_slot(SlotWidth::Predicate);
  }
  return carry_;
}

Slot StepLowering::constant_slot(uint64_t value, Type type) {
  return fixed_slot({.width = width_of(type), .content = SlotContent::Constant, .value = value});
}

Result<Slot> StepLowering::symbol_slot(const SymbolOperand& symbol, Type type) {
  size_t index = symbol.index;
  if (is_in_frame(symbol)) return frame_address(symbol, type);
  switch (symbol.kind) {
    case SymbolKind::Function:
      return constant_slot(function_address(static_cast<uint32_t>(symbol.index)), type);
    case SymbolKind::Result:
      return unsupported("a result here");
    case SymbolKind::Parameter:
      return constant_slot(function_->parameters[index].offset + static_cast<uint64_t>(symbol.offset), type);
    case SymbolKind::Local:
      index += lowered_->first_variable;
      break;
    case SymbolKind::Global:
      break;
  }
  const auto offset = static_cast<int32_t>(symbol.offset);
  if (offset != symbol.offset) return unsupported("an offset beyond 32 bits");
  const ProgramVariable& variable = program_.variables[index];
  if (variable.space == Space::Shared)
    return fixed_slot({.width = width_of(type),
                       .content = SlotContent::Constant,
                       .value = variable.offset + static_cast<uint64_t>(symbol.offset),
                       .shared_variable = static_cast<uint32_t>(index)});
  if (variable.space != Space::Global)
    return constant_slot(variable.offset + static_cast<uint64_t>(symbol.offset), type);
  return fixed_slot({.width = width_of(type),
                     .content = SlotContent::Symbol,
                     .value = uint64_t{index} << 32 | static_cast<uint32_t>(offset)});
}

/// The slot with this content; one for all uses.
Slot StepLowering::fixed_slot(const SlotInfo& info) {
  const auto key = std::tuple(info.width, info.content, info.special, info.value, info.shared_variable);
  const auto [found, is_new] = fixed_slots_.emplace(key, static_cast<Slot>(program_.slots.size()));
  if (is_new) program_.slots.push_back(info);
  return found->second;
}

}  // namespace lanescope::ptx
