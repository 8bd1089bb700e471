// Modifiers against each other and against the types. Where PTX and ptxas differ, what ptxas 13.0 accepts is
// the reference. Source: PTX ISA, the sections of the instructions.

#include "ptx/check.h"

#include <fmt/format.h>

namespace lanescope::ptx {

namespace {

struct Context {
  const OpcodeRow& row;
  const Instruction& instruction;
};

using Checked = Result<void>;

/// Modifiers without which the instruction is ambiguous.
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
  if (missing(ModifierGroup::Geometry, m.geometry))
    return needs("dimensions: .1d, .2d, .3d, .a1d, .a2d, .cube or .acube");
  if (missing(ModifierGroup::Boundary, m.boundary)) return needs("a mode: .trap, .clamp or .zero");
  if (missing(ModifierGroup::Channel, m.channel)) return needs("a channel: .r, .g, .b or .a");
  if (missing(ModifierGroup::MembarScope, m.scope)) return needs("a level: .cta, .gl or .sys");
  const bool has_priority = m.eviction != EvictionPriority::None;
  if (!has_priority && missing(ModifierGroup::CacheLevel, m.level)) return needs("a level: .L1 or .L2");
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
  const Type to = at.instruction.type.value_or(Type::b32);
  const Type from = at.instruction.second_type.value_or(Type::b32);
  const bool is_rounded = m.rounding != Rounding::None;
  const bool is_integer_rounded = m.integer_rounding != IntegerRounding::None;
  if (is_float(from) && is_integer(to) && !is_integer_rounded) {
    return wrong("a conversion to an integer needs .rni, .rzi, .rmi or .rpi");
  }
  if (is_float(to) && !is_integer_rounded && !is_rounded) {
    const bool narrows = is_float(from) && (size_bytes(to) < size_bytes(from) || is_packed_quarter(from) ||
                                            (is_half(to) && is_half(from) && to != from) ||
                                            (to == Type::tf32 && from == Type::f32));
    if (is_integer(from) || narrows) return wrong("this conversion needs a rounding, such as .rn");
  }
  if (is_rounded && is_integer(to)) return wrong("a conversion to an integer takes .rni, .rzi, .rmi or .rpi");
  if (is_integer(to) && is_integer(from) && (is_rounded || is_integer_rounded)) {
    return wrong("a conversion between integers takes no rounding");
  }
  const bool packs_two = ((to == Type::f16x2 || to == Type::bf16x2) && from == Type::f32) ||
                         (is_packed_quarter(to) && from == Type::f32);
  if (packs_two == std::holds_alternative<Absent>(at.instruction.operands[2])) {
    return wrong(packs_two ? "a packed result needs two sources" : "one source was expected, two were given");
  }
  return {};
}

Checked check_comparison(const Context& at) {
  if (!at.row.modifiers.contains(ModifierGroup::Comparison)) return {};
  const Instruction& instruction = at.instruction;
  const Comparison comparison = instruction.modifiers.comparison;
  const auto compared = instruction.op == Op::set ? instruction.second_type : instruction.type;
  const Type type = compared.value_or(Type::b32);
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
  if (instruction.op != Op::set && instruction.op != Op::setp) return {};
  const size_t combined_place = 4 - (instruction.op == Op::set ? 1u : 0u);
  const bool has_operand = !std::holds_alternative<Absent>(instruction.operands[combined_place]);
  if (has_operand != (instruction.modifiers.combination != Combination::None)) {
    return wrong(has_operand ? "a predicate to combine with was given, but no .and, .or or .xor"
                             : "a predicate to combine with was expected after the operands");
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
  const bool saturates = is_float(type) || type == Type::s32 || instruction.op == Op::cvt ||
                         at.row.modifiers.contains(ModifierGroup::ThreeTypes);
  if (m.saturate && !saturates) return wrong(fmt::format("'.sat' does not apply to .{}", name_of(type)));
  if (m.carry_out && is_float(type)) return wrong(fmt::format("'.cc' does not apply to .{}", name_of(type)));
  if (instruction.op == Op::lop3 &&
      (m.combination == Combination::None) != std::holds_alternative<Absent>(instruction.operands[6]))
    return wrong("'lop3' with a predicate needs .and, .or or .xor and a predicate after the operands");
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
    const bool is_moved = is_exchange_if_equal || m.atomic == AtomicOperation::Exch;
    if (instruction.type == Type::b128 && !is_moved) return wrong("'atom' of .b128 is .exch or .cas");
  }
  // The operation of all but `atom` combines values: none of them is exchanged.
  if (instruction.op != Op::atom && (m.atomic == AtomicOperation::Cas || m.atomic == AtomicOperation::Exch)) {
    return wrong(fmt::format("'{}' has no .cas and no .exch", at.row.spelling));
  }
  return {};
}

/// A texture gives four values; a surface one, two or four, of at most 16 bytes.
Checked check_image(const Context& at) {
  if (!at.row.modifiers.contains(ModifierGroup::Geometry)) return {};
  const Instruction& instruction = at.instruction;
  const Modifiers& m = instruction.modifiers;
  if (m.space == Space::Texture && m.vector_width != 4)
    return wrong(fmt::format("'{}' needs .v4: a texture gives four values", at.row.spelling));
  constexpr int kWidestTexel = 16;
  if (m.vector_width * size_bytes(instruction.type.value_or(Type::b32)) > kWidestTexel)
    return wrong(fmt::format("'{}' accesses at most {} bytes", at.row.spelling, kWidestTexel));
  if (is_cube(m.geometry) && (m.space == Space::Surface || instruction.second_type == Type::s32))
    return wrong(
        "cubes are read by tex with coordinates in floating point; a surface has their faces as layers");
  if (instruction.op == Op::tld4 && dimensions(m.geometry) != 2)
    return wrong("'tld4' reads textures of two dimensions: .2d or .a2d");
  return {};
}

}  // namespace

Result<void> check_modifiers(const OpcodeRow& row, const Instruction& instruction) {
  if (instruction.op == Op::call) return {};
  const Context at{row, instruction};
  TRY_VOID(check_required(at));
  TRY_VOID(check_product(at));
  TRY_VOID(check_rounding(at));
  TRY_VOID(check_conversion(at));
  TRY_VOID(check_comparison(at));
  TRY_VOID(check_flags(at));
  TRY_VOID(check_memory(at));
  TRY_VOID(check_image(at));
  return {};
}

}  // namespace lanescope::ptx
