// Decodes a program for one launch, once before it runs: finds each step's handler for the instruction set of
// the CPU, and lays out the register file. Tests: tests/unit/emulator/instruction_test.cpp

#pragma once

#include "base/error.h"
#include "emulator/options.h"
#include "emulator/values/code.h"

namespace lanescope::emulator {

/// `options`: vectors and barriers. `batch`: blocks that run as one group (batch.h).
/// Errors: Unsupported for an instruction that the emulator does not execute, with its line and text.
Result<Code> decode(const ptx::Program& program, Dim3 grid, Dim3 block, uint32_t dynamic_shared_bytes,
                    const Options& options, uint32_t batch = 1);

}  // namespace lanescope::emulator
