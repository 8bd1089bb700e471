// Registers that are kept as a few numbers per warp, from which the values of all lanes follow: one value for
// all (a parameter, a loop's counter), or base plus steps (a thread index, an address). While all warps run
// as one group, an instruction on such registers computes the numbers instead of the lanes; the cells of the
// lanes are filled when an instruction needs them (emulator/exec/form_math.h says which do not). A warp that
// runs alone has values in its lanes only. Tests: tests/unit/emulator/form_test.cpp

#pragma once

#include "base/ids.h"
#include "emulator/code.h"

#include <cstddef>
#include <cstdint>

namespace lanescope::emulator {

/// What of a register is valid: bits of Form::state. Without any the values are in the lanes alone.
inline constexpr uint32_t kInForm = 1;
inline constexpr uint32_t kOnlyForm = 2;   // the cells of the lanes are out of date
inline constexpr uint32_t kIsUniform = 4;  // step and row are 0 in every warp

/// Lane l of warp w has base[w] + x * step[w] + y * row[w], in the arithmetic of the register's width, where
/// x = l % row_lanes and y = l / row_lanes. Beyond the block's warps the arrays repeat the first warp's.
template <class C>
struct Form {
  uint32_t& state;
  C* base;  // [warp], as the others
  C* step;
  C* row;
};

/// The form of an operand: before its cells.
template <class C>
Form<C> form_of(std::byte* registers, const Operand& operand, const FormLayout& layout) {
  std::byte* const at = registers + operand.offset - layout.bytes;
  const size_t pitch = sizeof(uint64_t) * layout.warps;
  std::byte* const numbers = at + FormLayout::kHeadBytes;
  return {*reinterpret_cast<uint32_t*>(at), reinterpret_cast<C*>(numbers),
          reinterpret_cast<C*>(numbers + pitch), reinterpret_cast<C*>(numbers + 2 * pitch)};
}

inline uint32_t& form_state(std::byte* registers, const Operand& operand, const FormLayout& layout) {
  return form_of<uint32_t>(registers, operand, layout).state;
}

/// Finds the form of values that are in the lanes of all warps; if they have none, they stay there alone.
void find_form(const Code& code, std::byte* registers, const Operand& operand);

/// Every thread of the block has the value of lane 0 of the first warp.
void make_uniform(const Code& code, std::byte* registers, const Operand& operand);

/// The values stay in the lanes alone.
inline void drop_form(const Code& code, std::byte* registers, const Operand& operand) {
  form_state(registers, operand, code.forms) = 0;
}

/// Fills the cells of the lanes, if they are out of date.
inline void fill_lanes(const Code& code, std::byte* registers, const Operand& operand) {
  if (form_state(registers, operand, code.forms) & kOnlyForm)
    code.fill_lanes(registers, operand, code.forms, code.warps);
}

}  // namespace lanescope::emulator
