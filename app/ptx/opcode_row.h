// How a row of opcode.def is written and read at compile time: the vocabulary of its column `traits`, the
// operand column, and the check that both agree. A row that is malformed or contradicts itself does not
// build. Tests: tests/unit/ptx/opcode_traits_test.cpp

#pragma once

#include "ptx/opcode.h"

#include <algorithm>

namespace lanescope::ptx {

/// The names that the column `traits` uses.
namespace table {

using enum MemoryKind;
using enum AccessShape;
inline constexpr OpcodeTraits kComputes{Effect::Computes};
inline constexpr OpcodeTraits kAdvises{Effect::Advises};
constexpr OpcodeTraits access(MemoryKind kind, AccessShape shape) {
  OpcodeTraits traits(Effect::Accesses);
  traits.access = AccessTraits{kind, shape};
  return traits;
}
inline constexpr OpcodeTraits kReadsLanes{Effect::ReadsLanes};
inline constexpr OpcodeTraits kMovesStack{Effect::MovesStack};
inline constexpr OpcodeTraits kJumps{Effect::Jumps};
inline constexpr OpcodeTraits kCalls{Effect::Calls};
inline constexpr OpcodeTraits kBarrier{Effect::Barrier};
inline constexpr OpcodeTraits kSynchronizes{Effect::Synchronizes};
inline constexpr Trait kWholeWarp = Trait::WholeWarp;
inline constexpr Trait kPolls = Trait::Polls;
inline constexpr Trait kPollsIfOrdered = Trait::PollsIfOrdered;
inline constexpr Trait kReadsClock = Trait::ReadsClock;
inline constexpr Trait kInScheduler = Trait::InScheduler;
inline constexpr Trait kArithmetic = Trait::Arithmetic;
inline constexpr Trait kOperation = Trait::Operation;
inline constexpr Trait kTwoOperations = Trait::TwoOperations;
inline constexpr Trait kMatrixProduct = Trait::MatrixProduct;
inline constexpr Trait kTakes128Bits = Trait::Takes128Bits;
inline constexpr Trait kOnlyArrives = Trait::OnlyArrives;
inline constexpr Trait kReducesPredicate = Trait::ReducesPredicate;
inline constexpr Trait kUpdatesResult = Trait::UpdatesResult;

}  // namespace table

/// Not constexpr: reaching it while a row is decoded at compile time is the build error.
inline void row_of_opcode_def_is_malformed() {}

constexpr bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

constexpr void decode_suffix(std::string_view text, OperandSpec& spec) {
  if (take(text, ":")) {
    if (text == "2") {
      spec.type = OperandType::Second;
    } else if (text == "wide") {
      spec.type = OperandType::Wide;
    } else if (text == "3") {
      spec.type = OperandType::Third;
    } else if (text == "frag") {
      spec.type = OperandType::Fragment;
    } else if (text == "texel") {
      spec.type = OperandType::Texel;
    } else if (text == "coordinates") {
      spec.type = OperandType::Coordinates;
    } else if (text == "pack") {
      spec.packs = true;
    } else if (text == "members") {
      spec.type = OperandType::Fixed;
      spec.fixed = Type::u32;
      spec.is_member_mask = true;
    } else {
      spec.type = OperandType::Fixed;
      if (text == "u32") {
        spec.fixed = Type::u32;
      } else if (text == "s32") {
        spec.fixed = Type::s32;
      } else if (text == "u64") {
        spec.fixed = Type::u64;
      } else if (text == "f32") {
        spec.fixed = Type::f32;
      } else {
        row_of_opcode_def_is_malformed();
      }
    }
  } else if (!text.empty()) {
    row_of_opcode_def_is_malformed();
  }
}

/// One operand of the column, for example "d", "[a]", "b:u32?".
constexpr OperandSpec decode_operand(std::string_view text, OperandSeparator separator) {
  OperandSpec spec;
  spec.separator = separator;
  spec.optional = separator == OperandSeparator::Bar;
  if (text.ends_with('?')) {
    spec.optional = true;
    text.remove_suffix(1);
  }
  if (text.starts_with('[') != text.ends_with(']')) {
    spec.opens = take(text, "[");
    spec.closes = !spec.opens;
    if (spec.closes) text.remove_suffix(1);
  }
  if (take(text, "table")) {
    spec.role = OperandRole::BranchTable;
  } else if (take(text, "[a]") || take(text, "[b]") || take(text, "[m]")) {
    spec.role = OperandRole::Address;
  } else {
    switch (text.front()) {
      case 'd':
        spec.role = OperandRole::Destination;
        break;
      case 'p':
      case 'q':
        spec.role = OperandRole::SetPredicate;
        break;
      case 'r':
        spec.role = OperandRole::ReadPredicate;
        break;
      case 'i':
        spec.role = OperandRole::Constant;
        break;
      case 't':
        spec.role = OperandRole::Label;
        break;
      default:
        spec.role = OperandRole::Source;
    }
    text.remove_prefix(1);
  }
  decode_suffix(text, spec);
  return spec;
}

constexpr bool is_source(const OperandSpec& spec) {
  return spec.role == OperandRole::Source || spec.role == OperandRole::ReadPredicate ||
         spec.role == OperandRole::Address;
}

/// What the operands say of the traits.
constexpr void find_address_and_members(OpcodeRow& row) {
  uint8_t sources = 0;
  for (int n = 0; n < row.operand_count; ++n) {
    const OperandSpec& spec = row.operands[static_cast<size_t>(n)];
    if (spec.role == OperandRole::Address && !row.traits.address)
      row.traits.address = static_cast<uint8_t>(n);
    if (spec.is_member_mask) row.traits.members = sources;
    if (is_source(spec)) ++sources;
  }
}

constexpr bool any_operand(const OpcodeRow& row, auto&& is) {
  return std::any_of(row.operands.begin(), row.operands.begin() + row.operand_count, is);
}

/// Whether the traits agree with each other and with the operands.
constexpr bool agrees(const OpcodeRow& row) {
  const OpcodeTraits& traits = row.traits;
  const bool has_result = any_operand(row, [](const OperandSpec& spec) {
    return spec.role == OperandRole::Destination || spec.role == OperandRole::SetPredicate;
  });
  const bool has_fragment =
      any_operand(row, [](const OperandSpec& spec) { return spec.type == OperandType::Fragment; });
  const bool waits = traits.members.has_value() || traits.has(Trait::WholeWarp);
  if ((traits.effect == Effect::Accesses) != traits.access.has_value()) return false;
  if (traits.access) {
    const auto [kind, shape] = *traits.access;
    const bool is_image = shape == AccessShape::Texture || shape == AccessShape::Surface;
    const bool has_descriptors = shape == AccessShape::Descriptors;
    if (traits.address.has_value() == (is_image || has_descriptors)) return false;
    if (is_image != row.modifiers.contains(ModifierGroup::Geometry)) return false;
    if (has_result != (kind == MemoryKind::Load || kind == MemoryKind::Atomic)) return false;
    const bool of_matrices = shape == AccessShape::MatrixRows || shape == AccessShape::Fragment;
    if (has_fragment != (of_matrices || has_descriptors)) return false;
    if (has_fragment && !traits.has(Trait::WholeWarp)) return false;
  }
  // What has an address and neither accesses memory nor synchronizes through it may only be a hint.
  if (traits.address && traits.effect != Effect::Accesses && traits.effect != Effect::Synchronizes &&
      traits.effect != Effect::Advises)
    return false;
  if (traits.effect == Effect::Computes && (!has_result || waits || has_fragment)) return false;
  if (traits.effect == Effect::ReadsLanes && !has_result) return false;
  if (traits.has(Trait::PollsIfOrdered) && !row.modifiers.contains(ModifierGroup::Order)) return false;
  if (traits.has(Trait::Takes128Bits) && !row.types.contains(Type::b128)) return false;
  if (traits.has(Trait::Arithmetic) && traits.effect != Effect::Computes) return false;
  if (traits.has(Trait::UpdatesResult) && !has_result) return false;
  const bool of_barrier = traits.has(Trait::OnlyArrives) || traits.has(Trait::ReducesPredicate);
  return !of_barrier ||
         (traits.effect == Effect::Barrier && has_result == traits.has(Trait::ReducesPredicate));
}

/// The row with its operand column read.
constexpr OpcodeRow read_operands(OpcodeRow row, std::string_view operands) {
  // A call's operands are lists in parentheses: they have a separate parser.
  if (operands == "call") return row;
  auto separator = OperandSeparator::Comma;
  while (!operands.empty()) {
    const size_t end = operands.find_first_of(",|");
    row.operands[static_cast<size_t>(row.operand_count++)] =
        decode_operand(operands.substr(0, end), separator);
    if (end == std::string_view::npos) break;
    separator = operands[end] == '|' ? OperandSeparator::Bar : OperandSeparator::Comma;
    operands.remove_prefix(end + 1);
    take(operands, " ");
  }
  find_address_and_members(row);
  return row;
}

constexpr OpcodeRow decode_row(const OpcodeRow& written, std::string_view operands) {
  const OpcodeRow row = read_operands(written, operands);
  // A call's operands are its parser's.
  if (operands != "call" && !agrees(row)) row_of_opcode_def_is_malformed();
  return row;
}

}  // namespace lanescope::ptx
