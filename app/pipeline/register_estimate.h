// How many registers a thread of a kernel is likely to need, for the blocks that are in flight together.
// Method: the slots that lowering shares among values that do not live at the same time, 64-bit ones twice;
// predicates have registers of their own. The largest function that is called comes on top of the kernel.
// MODEL: the assembler that turns PTX into machine code reorders, keeps addresses in fewer registers and
// rounds up; the true number is the driver's to know. Tests: tests/unit/pipeline/register_estimate_test.cpp

#pragma once

#include "ptx/program.h"

#include <cstdint>

namespace lanescope::pipeline {

/// Registers of 32 bits.
uint32_t estimate_registers(const ptx::Program& program);

}  // namespace lanescope::pipeline
