// The table of instructions as data: how each is spelled, what it takes, which types and modifiers it allows.
// Method: opcode.def is read three times (enum, names, rows); the operand column is decoded at compile time,
// so a row that is not well formed does not build. Source: PTX ISA. Tests: tests/unit/ptx/opcode_test.cpp

#pragma once

#include "ptx/instruction.h"
#include "ptx/opcode_traits.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lanescope::ptx {

enum class ModifierGroup : uint8_t {
  Space,
  Vector,
  Order,
  Scope,
  MembarScope,
  Cache,
  Eviction,
  Prefetch,
  CacheLevel,
  NonCoherent,
  Rounding,
  IntegerRounding,
  FlushToZero,
  NoFlushToZero,
  Saturate,
  Relu,
  Approximate,
  FullRange,
  CarryOut,
  Nan,
  MagnitudeSign,
  MagnitudeSignAbs,
  Part,
  Comparison,
  Combination,
  AtomicOperation,
  Shuffle,
  Vote,
  Direction,
  ShiftMode,
  Permute,
  ShiftAmount,
  Uniform,
  Aligned,
  Sync,
  CacheHint,
  EvictionLevel2,
  SecondEviction,
  SaturateFinite,
  AsyncDestination,
  AsyncSource,
  CompleteBytes,
  BulkGroup,
  BulkRead,
  NoIncrement,
  Proxy,
  Matrices,
  Transposed,
  LayoutA,
  LayoutB,
  BitOperation,
  Population,
  Shape,
  VideoOperation,
  VideoScale,
  Geometry,
  Boundary,
  Channel,
  // Not written themselves: how many types are.
  ThreeTypes,
  FourTypes,
};

/// A set of modifier groups.
struct ModifierGroups {
  uint64_t bits = 0;
  constexpr bool contains(ModifierGroup group) const { return bits >> static_cast<uint64_t>(group) & 1; }
  constexpr ModifierGroups operator|(ModifierGroups other) const { return {bits | other.bits}; }
  constexpr ModifierGroups without(uint64_t others) const { return {bits & ~others}; }
};

enum class OperandRole : uint8_t {
  Destination,
  SetPredicate,   // p, q
  Source,         // a, b, c, e
  ReadPredicate,  // r
  Address,        // [a], [b], [m]
  Constant,       // i
  Label,          // t
  BranchTable,    // table
};
/// Fragment: a warp's part of a matrix, as many registers as shape and type need. Texel: values of the
/// instruction's type. Coordinates: of a texel, as many as the geometry needs, of the second type or .s32;
/// the number of the layer comes first. All three are lists.
enum class OperandType : uint8_t { First, Second, Third, Wide, Fixed, Fragment, Texel, Coordinates };
/// What separates an operand from the one before it.
enum class OperandSeparator : uint8_t { Comma, Bar };

struct OperandSpec {
  OperandRole role = OperandRole::Source;
  OperandType type = OperandType::First;
  Type fixed = Type::b32;  // for OperandType::Fixed
  OperandSeparator separator = OperandSeparator::Comma;
  bool optional = false;
  bool packs = false;           // also a vector that makes up one value
  bool is_member_mask = false;  // lanes that the instruction waits for
  bool opens = false;           // a bracket that a later operand closes: `[a, b]`
  bool closes = false;
};

inline constexpr int kMaximumOperands = 8;

struct OpcodeRow {
  Op op = Op::ret;
  std::string_view spelling;
  std::array<OperandSpec, kMaximumOperands> operands;
  int operand_count = 0;
  TypeSet types;
  TypeSet second_types;
  ModifierGroups modifiers;
  std::string_view section;  // where the PTX ISA describes it; nothing depends on it
  OpcodeTraits traits;
};

/// An instruction that is known and not executed.
struct RefusedRow {
  std::string_view spelling;
  std::string_view reason;  // completes "... is not executed: "
  std::string_view section;
};

struct ModifierRow {
  ModifierGroup group;
  std::string_view spelling;
  void (*set)(Modifiers&);
};

/// How many types an instruction of this row is written with.
struct TypeCount {
  size_t least = 0;
  size_t most = 0;
};
TypeCount types_of(const OpcodeRow& row);

const OpcodeRow& row_of(Op op);
/// All rows, in the order of Op.
std::span<const OpcodeRow> opcode_rows();
std::span<const RefusedRow> refused_rows();
/// The row of an instruction that is refused and starts with these dotted parts; null if there is none.
const RefusedRow* refused_as(std::string_view spelling);
/// The row that is spelled exactly so; null if there is none.
const OpcodeRow* row_named(std::string_view spelling);
/// The modifier as an instruction with these groups takes it; null if it does not take it.
const ModifierRow* modifier_named(std::string_view spelling, ModifierGroups allowed);
/// Whether any instruction takes it: a misplaced modifier is another mistake than an unknown one.
bool is_modifier(std::string_view spelling);

std::optional<SpecialRegister> special_register_named(std::string_view spelling);

}  // namespace lanescope::ptx
