// Operands against the row's types. Where PTX and ptxas differ, what ptxas 13.0 accepts is the reference.
// Source: PTX ISA, "Operand Type Checking", "Operand Size Exceeding Instruction-Type Size".

#include "ptx/check.h"

#include <bit>

#include <fmt/format.h>

namespace lanescope::ptx {

namespace {

using Checked = Result<void>;

/// Whether the register may be wider than the type: ld, st and cvt extend or truncate.
enum class Width : uint8_t { Exact, AtLeast };

bool fits(Type declared, Type type, Width width) {
  if (declared == Type::pred || type == Type::pred) return declared == type;
  if (declared == Type::b128 || type == Type::b128) return declared == type;
  const bool is_bits = class_of(declared) == TypeClass::Bits || class_of(type) == TypeClass::Bits;
  const bool has_wide_half = is_half(type) && is_integer(declared);  // halves also live in integer registers
  if (!is_bits && !has_wide_half && is_float(declared) != is_float(type)) return false;
  if (width == Width::AtLeast && !is_float(declared)) return size_bytes(declared) >= size_bytes(type);
  return size_bytes(declared) == size_bytes(type);
}

struct Context {
  const OpcodeRow& row;
  const Instruction& instruction;
  const std::vector<Register>& registers;
};

Type type_of_operand(const Context& at, const OperandSpec& spec) {
  if (spec.role == OperandRole::Constant) return Type::u32;  // whatever the instruction's type is
  switch (spec.type) {
    case OperandType::Second:
      return at.instruction.second_type.value_or(Type::b32);
    case OperandType::Third:
      return at.instruction.modifiers.third_type;
    case OperandType::Fixed:
      return spec.fixed;
    case OperandType::Wide: {
      const Type type = at.instruction.type.value_or(Type::b32);
      return at.instruction.modifiers.part == ProductPart::Wide ? widened(type) : type;
    }
    case OperandType::Coordinates:
      return at.instruction.second_type.value_or(Type::s32);
    case OperandType::First:
    case OperandType::Texel:
    case OperandType::Fragment:
      break;
  }
  return at.instruction.type.value_or(Type::b32);
}

Width width_of(const Context& at, const OperandSpec& spec) {
  if (spec.type == OperandType::Coordinates || spec.type == OperandType::Fixed) return Width::Exact;
  const Op op = at.instruction.op;
  const bool extends =
      op == Op::ld || op == Op::ldu || op == Op::st || op == Op::cvt || op == Op::suld_b || op == Op::sust_b;
  return extends ? Width::AtLeast : Width::Exact;
}

bool is_destination(const OperandSpec& spec) {
  return spec.role == OperandRole::Destination || spec.role == OperandRole::SetPredicate;
}

Checked check_register(const Context& at, const OperandSpec& spec, RegisterOperand operand, Type type) {
  const Register& declared = at.registers[operand.index];
  if (!fits(declared.type, type, width_of(at, spec))) {
    return wrong(fmt::format("'{}' is declared .{} and does not fit an operand of type .{}", declared.name,
                             name_of(declared.type), name_of(type)));
  }
  if (operand.negated && (type != Type::pred || is_destination(spec))) {
    return wrong(fmt::format("'!' before '{}' has no meaning: only predicates that are read are negated",
                             declared.name));
  }
  return {};
}

Checked check_immediate(const OperandSpec& spec, Immediate operand, Type type) {
  if (is_destination(spec)) return wrong("a constant cannot be written to; a register was expected");
  const bool is_number = operand.kind != ImmediateKind::Integer;
  const bool takes_float = type == Type::f32 || type == Type::f64;
  const bool is_pattern = (type == Type::b32 && operand.kind == ImmediateKind::Float32) ||
                          (type == Type::b64 && operand.kind == ImmediateKind::Float64);
  if (is_number && !takes_float && !is_pattern) {
    return wrong(fmt::format("a floating-point constant does not fit an operand of type .{}", name_of(type)));
  }
  if (!is_number && takes_float) {
    return wrong(
        fmt::format("an integer constant does not fit an operand of type .{}; write 0f or 0d and its bits",
                    name_of(type)));
  }
  return {};
}

Checked check_symbol(const Context& at, const OperandSpec& spec, Type type) {
  const Op op = at.instruction.op;
  const bool takes_name =
      (op == Op::mov || op == Op::mapa || op == Op::cvta || op == Op::cvta_to) && !is_destination(spec);
  if (!takes_name)
    return wrong(fmt::format("'{}' takes registers and constants, no names of variables", name_of(op)));
  if (is_float(type) || size_bytes(type) < 4) {
    return wrong(fmt::format("an address does not fit an operand of type .{}", name_of(type)));
  }
  return {};
}

Checked check_special(const Context& at, const OperandSpec& spec, SpecialRegister special, Type type) {
  const Op op = at.instruction.op;
  if ((op != Op::mov && op != Op::cvt) || is_destination(spec)) {
    return wrong(fmt::format("'{}' cannot be used here; read it with mov", name_of(special)));
  }
  if (!fits(type_of(special), type, width_of(at, spec))) {
    return wrong(fmt::format("'{}' is .{} and does not fit an operand of type .{}", name_of(special),
                             name_of(type_of(special)), name_of(type)));
  }
  return {};
}

/// A result next to an effect need not be taken: what an atomic read, the state that an arrival gives.
bool is_optional_result(const OpcodeRow& row, const OperandSpec& spec) {
  return spec.role == OperandRole::Destination &&
         (updates_memory(row.op) || row.traits.effect == Effect::Synchronizes);
}

Checked check_sink(const Context& at, const OperandSpec& spec, size_t place) {
  const bool has_pair = place + 1 < static_cast<size_t>(at.row.operand_count) &&
                        at.row.operands[place + 1].separator == OperandSeparator::Bar;
  if (is_destination(spec) &&
      (has_pair || spec.separator == OperandSeparator::Bar || is_optional_result(at.row, spec)))
    return {};
  return wrong("'_' cannot be used here");
}

/// What a vector's elements have in common: one type, registers or constants.
Checked check_elements(const Context& at, const OperandSpec& spec, const VectorOperand& vector, Type type) {
  for (const ScalarOperand& element : vector.elements) {
    if (std::holds_alternative<Sink>(element)) {
      if (!is_destination(spec)) return wrong("'_' cannot be read");
    } else if (const auto* in_register = std::get_if<RegisterOperand>(&element)) {
      TRY_VOID(check_register(at, spec, *in_register, type));
    } else if (const auto* constant = std::get_if<Immediate>(&element)) {
      TRY_VOID(check_immediate(spec, *constant, type));
    } else {
      return wrong("a vector is made of registers and constants");
    }
  }
  return {};
}

Checked check_vector(const Context& at, const OperandSpec& spec, const VectorOperand& vector, Type type) {
  const auto count = static_cast<int>(vector.elements.size());
  const int width = at.instruction.modifiers.vector_width;
  if (spec.packs) {
    // mov.b64 {%r1, %r2}, %rd1: the elements share the bits of the type.
    const bool divides = count == 2 || (count == 4 && type != Type::b128);
    const auto part = divides ? bits_of(size_bytes(type) / count) : std::nullopt;
    if (!part || class_of(type) != TypeClass::Bits) {
      return wrong(fmt::format("a value of type .{} is not made of {} elements", name_of(type), count));
    }
    return check_elements(at, spec, vector, *part);
  }
  if (width == 1) return wrong("one value was expected, not a vector; is .v2 or .v4 missing?");
  if (count != width) return wrong(fmt::format(".v{} takes {} elements, {} were given", width, width, count));
  return check_elements(at, spec, vector, type);
}

/// {x}, {x, y}, {x, y, z, -}; the number of a layer, which is a .u32, comes first: {layer, x, y, -}.
Checked check_coordinates(const Context& at, const OperandSpec& spec, const Operand& operand, Type type) {
  const Geometry geometry = at.instruction.modifiers.geometry;
  const size_t needed = static_cast<size_t>(dimensions(geometry)) + (has_layers(geometry) ? 1u : 0u);
  const size_t written = needed == 3 ? 4 : needed;  // the fourth is ignored
  VectorOperand vector;
  if (const auto* several = std::get_if<VectorOperand>(&operand)) {
    vector = *several;
  } else if (const auto* in_register = std::get_if<RegisterOperand>(&operand)) {
    vector.elements = {*in_register};
  } else if (const auto* constant = std::get_if<Immediate>(&operand)) {
    vector.elements = {*constant};
  }
  if (vector.elements.size() != written)
    return wrong(fmt::format("{} coordinates were expected, {} were given", written, vector.elements.size()));
  const VectorOperand layer{{vector.elements.front()}};
  if (has_layers(geometry)) {
    TRY_VOID(check_elements(at, spec, layer, Type::u32));
    vector.elements.erase(vector.elements.begin());
  }
  return check_elements(at, spec, vector, type);
}

Checked check_address(const Context& at, const AddressOperand& address) {
  const auto* base = std::get_if<RegisterOperand>(&address.base);
  if (base == nullptr) return {};
  const Register& declared = at.registers[base->index];
  const bool is_address =
      !is_float(declared.type) && size_bytes(declared.type) >= 4 && size_bytes(declared.type) <= 8;
  if (!is_address) {
    return wrong(fmt::format("'{}' is declared .{} and cannot hold an address", declared.name,
                             name_of(declared.type)));
  }
  return {};
}

Checked check_operand(const Context& at, size_t place) {
  const OperandSpec& spec = at.row.operands[place];
  const Operand& operand = at.instruction.operands[place];
  if (spec.type == OperandType::Fragment) return {};  // check_matrices
  const bool is_predicate = spec.role == OperandRole::SetPredicate || spec.role == OperandRole::ReadPredicate;
  Type type = is_predicate ? Type::pred : type_of_operand(at, spec);
  // cp.async ends in the number of bytes to read or in a predicate that says to read none.
  if (at.instruction.op == Op::cp_async && place == 3) {
    if (const auto* last = std::get_if<RegisterOperand>(&operand);
        last != nullptr && at.registers[last->index].type == Type::pred)
      type = Type::pred;
  }
  if (spec.type == OperandType::Coordinates) return check_coordinates(at, spec, operand, type);
  const bool takes_vector = at.instruction.modifiers.vector_width > 1 &&
                            (spec.type == OperandType::First || spec.type == OperandType::Texel) &&
                            (spec.role == OperandRole::Destination || spec.role == OperandRole::Source);
  if (const auto* vector = std::get_if<VectorOperand>(&operand)) return check_vector(at, spec, *vector, type);
  if (takes_vector && !std::holds_alternative<Absent>(operand)) {
    return wrong(
        fmt::format(".v{} takes a vector such as {{%r1, %r2}}", at.instruction.modifiers.vector_width));
  }
  if (const auto* in_register = std::get_if<RegisterOperand>(&operand)) {
    return check_register(at, spec, *in_register, type);
  }
  if (const auto* constant = std::get_if<Immediate>(&operand)) return check_immediate(spec, *constant, type);
  if (std::holds_alternative<SymbolOperand>(operand)) return check_symbol(at, spec, type);
  if (const auto* special = std::get_if<SpecialRegister>(&operand))
    return check_special(at, spec, *special, type);
  if (const auto* address = std::get_if<AddressOperand>(&operand)) return check_address(at, *address);
  if (std::holds_alternative<Sink>(operand)) return check_sink(at, spec, place);
  return {};
}

}  // namespace

Result<void> check_operands(const OpcodeRow& row, const Instruction& instruction,
                            const std::vector<Register>& registers) {
  if (instruction.op == Op::call) return {};
  const Context at{row, instruction, registers};
  for (size_t place = 0; place < instruction.operands.size(); ++place) TRY_VOID(check_operand(at, place));
  if (instruction.op == Op::lop3 && std::get<Immediate>(instruction.operands[5]).bits > 255) {
    return wrong("the truth table of 'lop3' is a number from 0 to 255");
  }
  if (instruction.op == Op::cp_async) {
    const uint64_t bytes = std::get<Immediate>(instruction.operands[2]).bits;
    if (bytes != 4 && bytes != 8 && bytes != 16) return wrong("'cp.async' copies 4, 8 or 16 bytes");
  }
  if (instruction.op == Op::alloca_) {
    const auto* alignment = std::get_if<Immediate>(&instruction.operands[2]);
    constexpr uint64_t kMaximum = uint64_t{1} << 23;
    if (alignment != nullptr && (!std::has_single_bit(alignment->bits) || alignment->bits > kMaximum))
      return wrong("the alignment of 'alloca' is a power of two, at most 2^23");
  }
  if (reduces_predicate(row.op) && std::holds_alternative<Absent>(instruction.operands[3]))
    return wrong(fmt::format("'{}' needs a predicate after its operands", row.spelling));
  TRY_VOID(check_matrices(instruction, registers));
  return {};
}

}  // namespace lanescope::ptx
