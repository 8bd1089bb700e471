// What an instruction must satisfy beyond its spelling: operands that fit its types, modifiers that it needs.
// Method: the rows of opcode.def say which operand has which type; the rules that a row cannot say are
// written out below, one function each. What ptxas 13.0 accepts is the reference. Source: PTX ISA, "Operand
// Type Checking", "Operand Size Exceeding Instruction-Type Size" and the sections of the instructions. Tests:
// tests/unit/ptx/check_test.cpp

#include "ptx/parser.h"

#include <fmt/format.h>

namespace lanescope::ptx {

namespace {

using Checked = Result<void>;

std::unexpected<Error> wrong(std::string message) { return fail(ErrorKind::Syntax, std::move(message)); }

bool is_integer(Type type) {
  return class_of(type) == TypeClass::Signed || class_of(type) == TypeClass::Unsigned;
}
bool is_float(Type type) { return class_of(type) == TypeClass::Float; }
bool is_half(Type type) {
  return is_float(type) && type != Type::f32 && type != Type::f64 && type != Type::tf32;
}

Type widened(Type type) {
  switch (type) {
    case Type::u16:
      return Type::u32;
    case Type::s16:
      return Type::s32;
    case Type::u32:
      return Type::u64;
    case Type::s32:
      return Type::s64;
    default:
      return type;
  }
}

/// Whether the register may be wider than the type: ld, st and cvt extend or truncate.
enum class Width : uint8_t { Exact, AtLeast };

bool fits(Type declared, Type type, Width width) {
  if (declared == Type::pred || type == Type::pred) return declared == type;
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
  switch (spec.type) {
    case OperandType::Second:
      return at.instruction.second_type.value_or(Type::b32);
    case OperandType::Fixed:
      return spec.fixed;
    case OperandType::Wide: {
      const Type type = at.instruction.type.value_or(Type::b32);
      return at.instruction.modifiers.part == ProductPart::Wide ? widened(type) : type;
    }
    case OperandType::First:
      break;
  }
  return at.instruction.type.value_or(Type::b32);
}

Width width_of(const Context& at) {
  const Op op = at.instruction.op;
  return op == Op::ld || op == Op::ldu || op == Op::st || op == Op::cvt ? Width::AtLeast : Width::Exact;
}

bool is_destination(const OperandSpec& spec) {
  return spec.role == OperandRole::Destination || spec.role == OperandRole::SetPredicate;
}

Checked check_register(const Context& at, const OperandSpec& spec, RegisterOperand operand, Type type) {
  const Register& declared = at.registers[operand.index];
  if (!fits(declared.type, type, width_of(at))) {
    return wrong(fmt::format("'{}' is declared .{} and does not fit an operand of type .{}", declared.name,
                             name_of(declared.type), name_of(type)));
  }
  if (operand.negated && (type != Type::pred || is_destination(spec))) {
    return wrong(
        fmt::format("'!' stands before '{}', but only predicates that are read are negated", declared.name));
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
  const bool takes_name = (op == Op::mov || op == Op::cvta || op == Op::cvta_to) && !is_destination(spec);
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
  if (!fits(type_of(special), type, width_of(at))) {
    return wrong(fmt::format("'{}' is .{} and does not fit an operand of type .{}", name_of(special),
                             name_of(type_of(special)), name_of(type)));
  }
  return {};
}

Checked check_sink(const Context& at, const OperandSpec& spec, size_t place) {
  const bool has_pair = place + 1 < static_cast<size_t>(at.row.operand_count) &&
                        at.row.operands[place + 1].separator == OperandSeparator::Bar;
  if (is_destination(spec) &&
      (has_pair || spec.separator == OperandSeparator::Bar || at.instruction.op == Op::atom)) {
    return {};
  }
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

std::optional<Type> bits_of_size(int size) {
  switch (size) {
    case 1:
      return Type::b8;
    case 2:
      return Type::b16;
    case 4:
      return Type::b32;
    case 8:
      return Type::b64;
    default:
      return std::nullopt;
  }
}

Checked check_vector(const Context& at, const OperandSpec& spec, const VectorOperand& vector, Type type) {
  const auto count = static_cast<int>(vector.elements.size());
  const int width = at.instruction.modifiers.vector_width;
  if (spec.packs) {
    // mov.b64 {%r1, %r2}, %rd1: the elements share the bits of the type.
    const auto part = count == 2 || count == 4 ? bits_of_size(size_bytes(type) / count) : std::nullopt;
    if (!part || class_of(type) != TypeClass::Bits) {
      return wrong(fmt::format("a value of type .{} is not made of {} elements", name_of(type), count));
    }
    return check_elements(at, spec, vector, *part);
  }
  if (width == 1) return wrong("a vector stands where one value was expected; is .v2 or .v4 missing?");
  if (count != width) return wrong(fmt::format(".v{} takes {} elements, {} were given", width, width, count));
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
  const bool is_predicate = spec.role == OperandRole::SetPredicate || spec.role == OperandRole::ReadPredicate;
  const Type type = is_predicate ? Type::pred : type_of_operand(at, spec);
  const bool takes_vector = at.instruction.modifiers.vector_width > 1 && spec.type == OperandType::First &&
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

/// Modifiers without which the instruction says nothing definite.
Checked check_required(const Context& at) {
  const Modifiers& m = at.instruction.modifiers;
  const auto missing = [&](ModifierGroup group, auto value) {
    return at.row.modifiers.contains(group) && value == decltype(value)::None;
  };
  const auto needs = [&](std::string_view what) {
    return wrong(fmt::format("'{}' needs {}", at.row.spelling, what));
  };
  if (missing(ModifierGroup::Comparison, m.comparison)) return needs("a comparison, such as .lt");
  if (missing(ModifierGroup::AtomicOperation, m.atomic)) return needs("an operation, such as .add");
  if (missing(ModifierGroup::Shuffle, m.shuffle)) return needs("a mode: .up, .down, .bfly or .idx");
  if (missing(ModifierGroup::Vote, m.vote)) return needs("a mode: .all, .any, .uni or .ballot");
  if (missing(ModifierGroup::Direction, m.direction)) return needs("a direction: .l or .r");
  if (missing(ModifierGroup::ShiftMode, m.shift)) return needs("a mode: .clamp or .wrap");
  if (missing(ModifierGroup::MembarScope, m.scope)) return needs("a level: .cta, .gl or .sys");
  if (missing(ModifierGroup::CacheLevel, m.level)) return needs("a level: .L1 or .L2");
  const Op op = at.instruction.op;
  const bool is_conversion = op == Op::cvta || op == Op::cvta_to || op == Op::isspacep;
  if (is_conversion && m.space == Space::Generic) return needs("a space, such as .global");
  if (op == Op::fence && m.order == MemoryOrder::None)
    return needs("an order: .sc, .acq_rel, .acquire or .release");
  return {};
}

Checked check_product(const Context& at) {
  if (!at.row.modifiers.contains(ModifierGroup::Part)) return {};
  const ProductPart part = at.instruction.modifiers.part;
  const Type type = at.instruction.type.value_or(Type::b32);
  if (is_integer(type) && part == ProductPart::None) {
    return wrong(fmt::format("'{}' of integers needs .lo, .hi or .wide", at.row.spelling));
  }
  if (is_float(type) && part != ProductPart::None) {
    return wrong(fmt::format("'{}' of floating-point numbers takes no .lo, .hi or .wide", at.row.spelling));
  }
  const bool has_wide = at.instruction.op == Op::mul || at.instruction.op == Op::mad;
  if (part == ProductPart::Wide && (!has_wide || widened(type) == type)) {
    return wrong(fmt::format("'{}.wide' has no type .{}", at.row.spelling, name_of(type)));
  }
  return {};
}

/// Rounding where the result may not be exact, as ptxas demands it.
Checked check_rounding(const Context& at) {
  const Instruction& instruction = at.instruction;
  const Modifiers& m = instruction.modifiers;
  const bool is_rounded = m.rounding != Rounding::None;
  const Type type = instruction.type.value_or(Type::b32);
  switch (instruction.op) {
    case Op::fma:
      return is_rounded ? Checked() : wrong("'fma' needs a rounding, such as .rn");
    case Op::mad:
      return is_rounded || !is_float(type)
                 ? Checked()
                 : wrong("'mad' of floating-point numbers needs a rounding, such as .rn");
    case Op::div:
      if (!is_float(type)) {
        const bool is_plain = !is_rounded && !m.approximate && !m.full_range;
        return is_plain ? Checked() : wrong("'div' of integers takes no rounding");
      }
      return is_rounded || m.approximate || m.full_range ? Checked()
                                                         : wrong("'div' needs a rounding, .approx or .full");
    case Op::rcp:
    case Op::sqrt:
      return is_rounded || m.approximate
                 ? Checked()
                 : wrong(fmt::format("'{}' needs a rounding or .approx", at.row.spelling));
    case Op::add:
    case Op::sub:
    case Op::mul:
      return is_float(type) || !is_rounded
                 ? Checked()
                 : wrong(fmt::format("'{}' of integers takes no rounding", at.row.spelling));
    default:
      return {};
  }
}

Checked check_conversion(const Context& at) {
  if (at.instruction.op != Op::cvt) return {};
  const Modifiers& m = at.instruction.modifiers;
  const Type to = *at.instruction.type;
  const Type from = *at.instruction.second_type;
  const bool is_rounded = m.rounding != Rounding::None;
  const bool is_integer_rounded = m.integer_rounding != IntegerRounding::None;
  if (is_float(from) && is_integer(to) && !is_integer_rounded) {
    return wrong("a conversion to an integer needs .rni, .rzi, .rmi or .rpi");
  }
  if (is_float(to) && !is_integer_rounded && !is_rounded) {
    const bool narrows =
        is_float(from) && (size_bytes(to) < size_bytes(from) || (to == Type::tf32 && from == Type::f32));
    if (is_integer(from) || narrows) return wrong("this conversion needs a rounding, such as .rn");
  }
  if (is_rounded && is_integer(to)) return wrong("a conversion to an integer takes .rni, .rzi, .rmi or .rpi");
  if (is_integer(to) && is_integer(from) && (is_rounded || is_integer_rounded)) {
    return wrong("a conversion between integers takes no rounding");
  }
  const bool packs_two = to == Type::f16x2 || to == Type::bf16x2;
  if (packs_two == std::holds_alternative<Absent>(at.instruction.operands[2])) {
    return wrong(packs_two ? "a packed result needs two sources" : "one source was expected, two were given");
  }
  return {};
}

Checked check_comparison(const Context& at) {
  if (!at.row.modifiers.contains(ModifierGroup::Comparison)) return {};
  const Instruction& instruction = at.instruction;
  const Comparison comparison = instruction.modifiers.comparison;
  const Type type = *(instruction.op == Op::set ? instruction.second_type : instruction.type);
  const bool is_equality = comparison == Comparison::Eq || comparison == Comparison::Ne;
  const bool is_unsigned_order = comparison >= Comparison::Lo && comparison <= Comparison::Hs;
  const bool is_unordered = comparison >= Comparison::Equ;
  bool fits_type = true;
  switch (class_of(type)) {
    case TypeClass::Bits:
    case TypeClass::Predicate:
      fits_type = is_equality;
      break;
    case TypeClass::Signed:
      fits_type = !is_unsigned_order && !is_unordered;
      break;
    case TypeClass::Unsigned:
      fits_type = !is_unordered;
      break;
    case TypeClass::Float:
      fits_type = !is_unsigned_order;
      break;
  }
  if (!fits_type) return wrong(fmt::format("values of type .{} have no such comparison", name_of(type)));
  const size_t combined_place = 4 - (instruction.op == Op::set ? 1u : 0u);
  const bool has_operand = !std::holds_alternative<Absent>(instruction.operands[combined_place]);
  if (has_operand != (instruction.modifiers.combination != Combination::None)) {
    return wrong(has_operand ? "a predicate to combine with was given, but no .and, .or or .xor"
                             : "a predicate to combine with was expected behind the operands");
  }
  return {};
}

Checked check_flags(const Context& at) {
  const Instruction& instruction = at.instruction;
  const Modifiers& m = instruction.modifiers;
  const Type type = instruction.type.value_or(Type::b32);
  const auto flushes = [](std::optional<Type> candidate) {
    return candidate && (*candidate == Type::f32 || is_half(*candidate));
  };
  const bool is_approximate_double =
      m.approximate && type == Type::f64;  // rcp.approx.ftz.f64, rsqrt.approx.ftz.f64
  if (m.flush_to_zero && !flushes(type) && !flushes(instruction.second_type) && !is_approximate_double) {
    return wrong(fmt::format("'.ftz' does not apply to .{}", name_of(type)));
  }
  const bool saturates = is_float(type) || type == Type::s32 || instruction.op == Op::cvt;
  if (m.saturate && !saturates) return wrong(fmt::format("'.sat' does not apply to .{}", name_of(type)));
  if (m.carry_out && is_float(type)) return wrong(fmt::format("'.cc' does not apply to .{}", name_of(type)));
  if (m.non_coherent && m.space != Space::Global) return wrong("'.nc' loads are from .global");
  return {};
}

Checked check_memory(const Context& at) {
  const Instruction& instruction = at.instruction;
  const Modifiers& m = instruction.modifiers;
  constexpr int kWidestAccess = 32;
  if (m.vector_width * size_bytes(instruction.type.value_or(Type::b32)) > kWidestAccess) {
    return wrong(fmt::format("an access of more than {} bytes does not exist", kWidestAccess));
  }
  if (instruction.op == Op::st && (m.space == Space::Constant))
    return wrong("constant memory cannot be written to");
  if (instruction.op == Op::atom) {
    const bool is_exchange_if_equal = m.atomic == AtomicOperation::Cas;
    if (is_exchange_if_equal == std::holds_alternative<Absent>(instruction.operands[3])) {
      return wrong(is_exchange_if_equal ? "'.cas' needs a value to compare with and one to store"
                                        : "one value was expected, two were given");
    }
  }
  const bool returns_nothing = instruction.op == Op::red || instruction.op == Op::redux_sync;
  if (returns_nothing && (m.atomic == AtomicOperation::Cas || m.atomic == AtomicOperation::Exch)) {
    return wrong(fmt::format("'{}' has no .cas and no .exch", at.row.spelling));
  }
  return {};
}

}  // namespace

Result<void> check_instruction(const OpcodeRow& row, const Instruction& instruction,
                               const std::vector<Register>& registers) {
  if (instruction.op == Op::call) return {};
  const Context at{row, instruction, registers};
  TRY_VOID(check_required(at));
  TRY_VOID(check_product(at));
  for (size_t place = 0; place < instruction.operands.size(); ++place) TRY_VOID(check_operand(at, place));
  TRY_VOID(check_rounding(at));
  TRY_VOID(check_conversion(at));
  TRY_VOID(check_comparison(at));
  TRY_VOID(check_flags(at));
  TRY_VOID(check_memory(at));
  if (instruction.op == Op::lop3 && std::get<Immediate>(instruction.operands[4]).bits > 255) {
    return wrong("the truth table of 'lop3' is a number from 0 to 255");
  }
  return {};
}

}  // namespace lanescope::ptx
