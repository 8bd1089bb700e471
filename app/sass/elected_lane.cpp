#include "sass/elected_lane.h"

#include "sass/instruction_bits.h"

#include <optional>

namespace lanescope::sass {
namespace {

/// The last instruction before `pc` that fulfills `is`.
template <class F>
std::optional<uint32_t> last_before(const MachineFunction& function, uint32_t pc, F&& is) {
  while (pc >= kInstructionBytes) {
    pc -= kInstructionBytes;
    if (is(bits_at(function, pc))) return pc;
  }
  return std::nullopt;
}

constexpr uint32_t kIsetp = 0x00c;
constexpr uint32_t kS2r = 0x119;
constexpr uint32_t kLaneId = 0;
constexpr uint32_t kEqual = 2;         // of bits 76 to 78
constexpr uint32_t kRegisterForm = 1;  // of bits 9 to 11: the second operand is a register

/// True if the number of the lane is in this register before `pc`.
bool has_lane_number(const MachineFunction& function, uint32_t pc, uint32_t reg) {
  const auto read = last_before(function, pc, [&](const InstructionBits& bits) {
    return bits.opcode() == kS2r && bits.at(16, 8) == reg;
  });
  return read && bits_at(function, *read).at(72, 8) == kLaneId;
}

}  // namespace

bool is_of_one_lane(const MachineFunction& function, uint32_t pc) {
  constexpr uint32_t kAlways = 7;
  if (pc + kInstructionBytes > function.code.size()) return false;
  const InstructionBits guarded = bits_at(function, pc);
  const uint32_t predicate = guarded.at(12, 3);
  const bool is_negated = guarded.at(15, 1) != 0;
  if (predicate == kAlways || is_negated) return false;
  const auto at = last_before(function, pc, [&](const InstructionBits& bits) {
    return bits.opcode() == kIsetp && (bits.at(81, 3) == predicate || bits.at(84, 3) == predicate);
  });
  if (!at) return false;
  const InstructionBits compares = bits_at(function, *at);
  if (compares.at(76, 3) != kEqual || compares.at(81, 3) != predicate) return false;
  const bool has_second = compares.at(9, 3) == kRegisterForm;
  return has_lane_number(function, *at, compares.at(24, 8)) ||
         (has_second && has_lane_number(function, *at, compares.at(32, 8)));
}

}  // namespace lanescope::sass
