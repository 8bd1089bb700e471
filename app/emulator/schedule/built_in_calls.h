// Calls of functions that have no body in PTX, which the driver supplies on a GPU: printf, assert, malloc,
// free. Source: CUDA C++ Programming Guide, "Formatted Output", "Assertion", "Dynamic Global Memory
// Allocation". Tests: tests/unit/emulator/print_test.cpp

#pragma once

#include "emulator/schedule/block_executor.h"

#include <cstdint>

namespace lanescope::emulator {

/// Lanes of the warp call the function that `step`, a call, names.
void call_built_in(BlockExecutor& executor, uint32_t warp, const Step& step, uint32_t lanes);

}  // namespace lanescope::emulator
