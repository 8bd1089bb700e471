// Registers that are kept as one value and a spread, from which the values of all lanes follow (spread.h):
// one value for all (a parameter, a loop's counter), or base plus steps (a thread index, an address). While
// all warps run as one group, an instruction on such registers computes the one value; the cells of the lanes
// are filled when an instruction needs them (emulator/exec/form_math.h says which do not). A warp that runs
// alone has values in its lanes only. Tests: tests/unit/emulator/form_test.cpp

#pragma once

#include "emulator/values/code.h"
#include "emulator/values/spread.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanescope::emulator {

/// Form of a register: a lane's value is `first` plus the difference that the spread has for the lane, in the
/// arithmetic of the register's width.
struct Form {
  uint32_t state = 0;
  uint64_t first = 0;  // lane 0 of warp 0: a cell, with zeros above
  const Spread* spread = nullptr;
};
static_assert(sizeof(Form) <= FormLayout::kBytes);

/// The form of an operand: before its cells.
inline Form& form_of(std::byte* registers, const Operand& operand) {
  return *reinterpret_cast<Form*>(registers + operand.offset - FormLayout::kBytes);
}

/// Finds the form of values that are in the lanes of all warps; if they have none, they stay there alone.
void find_form(const Code& code, Spreads& spreads, std::byte* registers, const Operand& operand);

/// Gives the register a constant form: every thread of the block has the value of lane 0 of the first warp.
void make_constant(std::byte* registers, const Operand& operand);
/// Gives the register, or predicate, a constant form if all lanes in alive[warp] have one value.
void find_constant(std::byte* registers, const Operand& operand, std::span<const uint32_t> alive);

/// A predicate that is the same in all threads of the block has a form in addition to its masks: state has
/// kInForm, and all bits of `first` are the truth.
inline bool has_truth(const std::byte* registers, const Operand& predicate) {
  return (form_of(const_cast<std::byte*>(registers), predicate).state & kInForm) != 0;
}
inline uint32_t truth_of(const std::byte* registers, const Operand& predicate) {
  return static_cast<uint32_t>(form_of(const_cast<std::byte*>(registers), predicate).first);
}

/// Discards the form: the values are in the lanes alone.
inline void drop_form(std::byte* registers, const Operand& operand) { form_of(registers, operand).state = 0; }

/// Fills the cells of the lanes, if they are out of date.
inline void fill_lanes(const Code& code, std::byte* registers, const Operand& operand) {
  if (form_of(registers, operand).state & kOnlyForm)
    code.fill_lanes(registers, operand, code.forms, code.warps);
}

}  // namespace lanescope::emulator
