// The 128 bits of an instruction of machine code, by the numbers that the comments of their readers use.

#pragma once

#include "sass/cubin.h"

#include <cstdint>
#include <cstring>

namespace lanescope::sass {

struct InstructionBits {
  uint64_t low = 0;
  uint64_t high = 0;
  /// The number in `count` bits from `first` on, which are in one half.
  constexpr uint32_t at(int first, int count) const {
    const uint64_t word = first < 64 ? low >> first : high >> (first - 64);
    return static_cast<uint32_t>(word & ((uint64_t{1} << count) - 1));
  }
  constexpr uint32_t opcode() const { return at(0, 9); }
  /// 7: always; from 8 on negated, 15: never.
  constexpr uint32_t predicate() const { return at(12, 4); }
};

/// The instruction at `pc`, which is inside of the code.
inline InstructionBits bits_at(const MachineFunction& function, uint32_t pc) {
  InstructionBits bits;
  std::memcpy(&bits.low, function.code.data() + pc, sizeof bits.low);
  std::memcpy(&bits.high, function.code.data() + pc + sizeof bits.low, sizeof bits.high);
  return bits;
}

}  // namespace lanescope::sass
