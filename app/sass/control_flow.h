// Instructions of machine code that lead lanes elsewhere, or by which diverged lanes wait for each other:
// BSSY names a barrier and where its lanes reconverge, BSYNC waits there, BREAK takes lanes out of it,
// WARPSYNC waits for the lanes of a mask, YIELD lets others run. Method: bits 0 to 8 are the opcode, 12 to 15
// the predicate, 16 to 19 the barrier. Distances are from the next instruction: of a BSSY bits 32 to 63, in
// bytes; of a BRA bits 34 to 81, in words of four bytes, below which sm_90 and later have eight more bits, 16
// to 23. NVIDIA documents none of this: compared with the text of nvdisasm 13.5 on sm_75, 80, 86, 89, 90, 100
// and 120. Tests: tests/unit/sass/control_flow_test.cpp

#pragma once

#include "sass/cubin.h"

#include <cstdint>
#include <optional>

namespace lanescope::sass {

struct ControlInstruction {
  enum class Kind : uint8_t { Bra, Brx, Exit, Ret, Bssy, Bsync, Break, Warpsync, Yield };
  Kind kind = Kind::Exit;
  bool is_conditional = false;  // a predicate, or the table of a BRX, chooses lanes
  uint8_t barrier = 0;          // B0 to B15, of a BSSY, BSYNC, BREAK
  // Of a BRA and a BSSY, in bytes; no value if it is outside of the code.
  std::optional<uint32_t> target = {};
  bool operator==(const ControlInstruction&) const = default;
};

/// The instruction at `pc`, which is inside of the code; no value if it leads nowhere else, or is never
/// executed.
std::optional<ControlInstruction> control_at(const MachineFunction& function, uint32_t pc);

/// True for what ends a basic block: where an instruction goes on after a BSYNC depends on others.
constexpr bool ends_block(ControlInstruction::Kind kind) {
  using enum ControlInstruction::Kind;
  return kind == Bra || kind == Brx || kind == Exit || kind == Ret || kind == Bsync;
}

}  // namespace lanescope::sass
