#include "sass/control_flow.h"

#include <cstring>

namespace lanescope::sass {
namespace {

using Control = ControlInstruction::Kind;

std::optional<Control> control_kind_of(uint64_t low) {
  switch (low & 0x1ff) {
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
int64_t distance_of_branch(uint32_t architecture, uint64_t low, uint64_t high) {
  constexpr uint32_t kHopper = 90;
  constexpr int kHighBits = 18;  // 64 to 81
  const uint64_t unsigned_words = low >> 34 | (high & ((uint64_t{1} << kHighBits) - 1)) << 30;
  const int64_t words = static_cast<int64_t>(unsigned_words << 16) >> 16;
  constexpr int64_t kLargest = int64_t{1} << 40;  // also of hostile files
  if (words > kLargest || words < -kLargest) return kLargest;
  return 4 * (architecture < kHopper ? words : words * 256 + static_cast<int64_t>(low >> 16 & 0xff));
}

}  // namespace

std::optional<ControlInstruction> control_at(const MachineFunction& function, uint32_t pc) {
  constexpr uint64_t kAlways = 7;  // the predicate PT
  constexpr uint64_t kNever = 15;  // !PT
  uint64_t low = 0;
  uint64_t high = 0;
  std::memcpy(&low, function.code.data() + pc, sizeof low);
  std::memcpy(&high, function.code.data() + pc + sizeof low, sizeof high);
  const auto kind = control_kind_of(low);
  const uint64_t predicate = low >> 12 & 15;
  if (!kind || predicate == kNever) return std::nullopt;
  ControlInstruction control{.kind = *kind, .is_conditional = predicate != kAlways || kind == Control::Brx};
  if (kind == Control::Bssy || kind == Control::Bsync || kind == Control::Break)
    control.barrier = static_cast<uint8_t>(low >> 16 & 15);
  if (kind == Control::Bra || kind == Control::Bssy) {
    const int64_t distance = kind == Control::Bra ? distance_of_branch(function.architecture, low, high)
                                                  : int64_t{static_cast<int32_t>(low >> 32)};
    const int64_t target = int64_t{pc} + kInstructionBytes + distance;
    if (target >= 0 && target <= static_cast<int64_t>(function.code.size()))
      control.target = static_cast<uint32_t>(target);
  }
  return control;
}

}  // namespace lanescope::sass
