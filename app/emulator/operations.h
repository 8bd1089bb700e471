// Operations that a program did, from how many lanes reached each of its steps. Method: each step is one
// operation or two (a multiply-add) of its type in each lane; a product of matrices is that of the warp. A
// lane that a guard switches off counts, and a division or a root is one operation as written, whatever the
// assembler makes of it. Comparisons, moves and conversions count nothing. Tests:
// tests/unit/emulator/operations_test.cpp

#pragma once

#include "ptx/program.h"
#include "trace/operations.h"

#include <cstdint>
#include <span>

namespace lanescope::emulator {

/// `lanes_of_step`: [step of the program] lanes that reached it, summed over the launch.
trace::Operations operations_of(const ptx::Program& program, std::span<const uint64_t> lanes_of_step);

}  // namespace lanescope::emulator
