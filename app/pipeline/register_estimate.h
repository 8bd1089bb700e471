// Estimates the registers per thread of a kernel, which limit its blocks in flight. Method: counts the slots
// that lowering shares among values whose lifetimes do not overlap, 64-bit ones twice; predicates are not
// counted. The largest called function is added to the kernel. MODEL: the assembler that turns PTX into
// machine code reorders, keeps addresses in fewer registers and rounds up; only the driver reports the true
// number. Tests: tests/unit/pipeline/register_estimate_test.cpp

#pragma once

#include "ptx/program.h"

#include <cstdint>

namespace lanescope::pipeline {

/// Registers of 32 bits.
uint32_t estimate_registers(const ptx::Program& program);

}  // namespace lanescope::pipeline
