#include "sass/control_flow.h"

#include "sass/instruction_bits.h"

namespace lanescope::sass {
namespace {

using Control = ControlInstruction::Kind;

std::optional<Control> control_kind_of(uint32_t opcode) {
  switch (opcode) {
    case 0x147:
      return Control::Bra;
    case 0x149:
      return Control::Brx;
    case 0x14d:
      return Control::Exit;
    case 0x150:
      return Control::Ret;
    case 0x145:
      return Control::Bssy;
    case 0x141:
      return Control::Bsync;
    case 0x142:
      return Control::Break;
    case 0x148:
      return Control::Warpsync;
    case 0x146:
      return Control::Yield;
    default:
      return std::nullopt;
  }
}

/// Bytes from the next instruction to the target of a BRA.
int64_t distance_of_branch(uint32_t architecture, const InstructionBits& bits) {
  constexpr uint32_t kHopper = 90;
  constexpr int kHighBits = 18;  // 64 to 81
  const uint64_t unsigned_words = bits.low >> 34 | uint64_t{bits.at(64, kHighBits)} << 30;
  const int64_t words = static_cast<int64_t>(unsigned_words << 16) >> 16;
  constexpr int64_t kLargest = int64_t{1} << 40;  // also of hostile files
  if (words > kLargest || words < -kLargest) return kLargest;
  return 4 * (architecture < kHopper ? words : words * 256 + int64_t{bits.at(16, 8)});
}

}  // namespace

std::optional<ControlInstruction> control_at(const MachineFunction& function, uint32_t pc) {
  constexpr uint32_t kAlways = 7;  // the predicate PT
  constexpr uint32_t kNever = 15;  // !PT
  const InstructionBits bits = bits_at(function, pc);
  const auto kind = control_kind_of(bits.opcode());
  if (!kind || bits.predicate() == kNever) return std::nullopt;
  ControlInstruction control{.kind = *kind,
                             .is_conditional = bits.predicate() != kAlways || kind == Control::Brx};
  if (kind == Control::Bssy || kind == Control::Bsync || kind == Control::Break)
    control.barrier = static_cast<uint8_t>(bits.at(16, 4));
  if (kind == Control::Bra || kind == Control::Bssy) {
    const int64_t distance = kind == Control::Bra ? distance_of_branch(function.architecture, bits)
                                                  : int64_t{static_cast<int32_t>(bits.at(32, 32))};
    const int64_t target = int64_t{pc} + kInstructionBytes + distance;
    if (target >= 0 && target <= static_cast<int64_t>(function.code.size()))
      control.target = static_cast<uint32_t>(target);
  }
  return control;
}

}  // namespace lanescope::sass
