// Instructions of machine code by which diverged lanes wait for each other: BSSY names a barrier and where
// its lanes reconverge, BSYNC waits there, BREAK takes lanes out of it, WARPSYNC waits for the lanes of a
// mask: sass/control_flow.h. Tests: tests/unit/sass/convergence_test.cpp

#pragma once

#include "ptx/program.h"
#include "sass/cubin.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::sass {

struct ConvergenceInstruction {
  enum class Kind : uint8_t { Bssy, Bsync, Break, Warpsync };
  Kind kind = Kind::Bssy;
  uint32_t pc = 0;        // offset in the function's code, in bytes
  uint32_t ptx_line = 0;  // that it was made of; 0: not known
  uint8_t barrier = 0;    // B0 to B15; meaningless for a WARPSYNC
  uint32_t target = 0;    // of a BSSY: where its lanes continue together, right after its BSYNC
  Location where = {};    // in the source; line 0 where that is not known
  bool operator==(const ConvergenceInstruction&) const = default;
};

/// Those of a function in the order of its code, with their lines of the source, which the program has.
std::vector<ConvergenceInstruction> convergence_of(const MachineFunction& function,
                                                   const ptx::Program& program);

/// The BSSY that leads lanes to the barrier of a BSYNC or a BREAK: the last one before it with that barrier
/// whose region reaches so far. Null where there is none, and for other instructions.
const ConvergenceInstruction* bssy_of(const std::vector<ConvergenceInstruction>& all,
                                      const ConvergenceInstruction& instruction);

/// The innermost BSSY whose region has the instruction at `pc`, by its address; null where none has. Code
/// that the assembler put after the kernel's end is in no region.
const ConvergenceInstruction* enclosing_bssy(const std::vector<ConvergenceInstruction>& all, uint32_t pc);

/// Address of the BSYNC of a BSSY.
uint32_t bsync_of(const ConvergenceInstruction& bssy);

/// "BSSY", and what follows it: "B0, 0x390", "B0", "".
std::string name_of(const ConvergenceInstruction& instruction);
std::string operands_of(const ConvergenceInstruction& instruction);

}  // namespace lanescope::sass
