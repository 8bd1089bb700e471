// One PTX instruction as parsed and checked: what it does, to which operands, and where it was written.
// Method: rows of opcode.def give the operands' places, so `operands[n]` is the n-th of the row's list
// always. Source: PTX ISA, "Instruction Operands". Tests: tests/unit/ptx/instruction_test.cpp

#pragma once

#include "ptx/modifier.h"
#include "ptx/type.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace lanescope::ptx {

enum class Op : uint8_t {
#define REFUSED(spelling, reason, section)
#define OPCODE(name, spelling, operands, types, second_types, modifiers, traits, section) name,
#include "ptx/opcode.def"
#undef OPCODE
#undef REFUSED
};

enum class SpecialRegister : uint8_t {
#define SPECIAL_REGISTER(name, spelling, type) name,
#include "ptx/special_register.def"
#undef SPECIAL_REGISTER
};

/// The row's spelling: "shfl.sync" for Op::shfl_sync.
std::string_view name_of(Op op);
std::string_view name_of(SpecialRegister special);
Type type_of(SpecialRegister special);

/// An optional operand that was not written.
struct Absent {
  bool operator==(const Absent&) const = default;
};
/// `_`: a destination whose result is discarded.
struct Sink {
  bool operator==(const Sink&) const = default;
};
/// Index in Function::registers. `negated` is the `!` before a source predicate.
struct RegisterOperand {
  uint32_t index = 0;
  bool negated = false;
  bool operator==(const RegisterOperand&) const = default;
};

enum class ImmediateKind : uint8_t { Integer, Float32, Float64 };
/// A constant as written: Integer holds 64 bits of two's complement, Float32 an `0f` pattern in the low half.
struct Immediate {
  ImmediateKind kind = ImmediateKind::Integer;
  uint64_t bits = 0;
  bool is_unsigned = false;  // an Integer of type .u64, not .s64: expressions compute it so
  bool operator==(const Immediate&) const = default;
};
/// The constant as an operand of `type` sees it: truncated, or rounded to the narrower floating-point format.
/// An integer constant of a floating-point instruction becomes that number.
uint64_t bits_as(Immediate immediate, Type type);

enum class SymbolKind : uint8_t { Global, Local, Parameter, Function, Result };
/// A name in address position: index in Module::globals, Function::variables, Function::parameters,
/// Module::functions or Function::results.
struct SymbolOperand {
  SymbolKind kind = SymbolKind::Global;
  uint32_t index = 0;
  int64_t offset = 0;  // mov takes `name+offset`
  bool operator==(const SymbolOperand&) const = default;
};
/// `[base+offset]`; the base is absent in `[64]`.
struct AddressOperand {
  std::variant<Absent, RegisterOperand, SymbolOperand> base;
  int64_t offset = 0;  // bytes, and all of it: the offset of a symbol base is here
  bool operator==(const AddressOperand&) const = default;
};
/// Index in Function::labels.
struct LabelOperand {
  uint32_t index = 0;
  bool operator==(const LabelOperand&) const = default;
};
/// Index in Function::branch_tables.
struct BranchTableOperand {
  uint32_t index = 0;
  bool operator==(const BranchTableOperand&) const = default;
};
using ScalarOperand = std::variant<Sink, RegisterOperand, Immediate, SpecialRegister, SymbolOperand>;
/// `{%r1, %r2}` of a .v2 access or of a mov that packs; also the two parenthesised lists of a call.
struct VectorOperand {
  std::vector<ScalarOperand> elements;
  bool operator==(const VectorOperand&) const = default;
};

using Operand = std::variant<Absent, Sink, RegisterOperand, Immediate, SpecialRegister, SymbolOperand,
                             AddressOperand, LabelOperand, BranchTableOperand, VectorOperand>;

/// `@%p` or `@!%p`.
struct Guard {
  uint32_t predicate = 0;  // index in Function::registers
  bool negated = false;
  bool operator==(const Guard&) const = default;
};

struct Instruction {
  Op op = Op::ret;
  /// The instruction's type; where the row has second types (cvt, set, slct, dp4a), `second_type` is the one
  /// written last: cvt.f32.s32 has type f32 and second_type s32. Absent where none is written.
  std::optional<Type> type;
  std::optional<Type> second_type;
  Modifiers modifiers;
  std::optional<Guard> guard;
  /// By place, as in the row of opcode.def. A call has three: results (VectorOperand), callee (SymbolOperand
  /// or RegisterOperand) and arguments (VectorOperand).
  std::vector<Operand> operands;
  int ptx_line = 0;               // line in the PTX text, from 1
  std::optional<uint32_t> place;  // index in Module::places; absent before the first .loc
  uint32_t text_begin = 0;        // in Module::text: from the guard to the last operand, no semicolon
  uint32_t text_size = 0;
};

/// Calls f(symbol) for each name among the operands.
template <class F>
void for_each_symbol(const Instruction& instruction, F&& f) {
  for (const Operand& operand : instruction.operands) {
    if (const auto* symbol = std::get_if<SymbolOperand>(&operand)) {
      f(*symbol);
    } else if (const auto* address = std::get_if<AddressOperand>(&operand)) {
      if (const auto* base = std::get_if<SymbolOperand>(&address->base)) f(*base);
    } else if (const auto* list = std::get_if<VectorOperand>(&operand)) {
      for (const ScalarOperand& element : list->elements)
        if (const auto* name = std::get_if<SymbolOperand>(&element)) f(*name);
    }
  }
}

}  // namespace lanescope::ptx
