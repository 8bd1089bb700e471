// End of a race's sentence. findings.cpp replaces it if there is a barrier between the two sides that part of
// the block has not reached. Tests: tests/cli/findings_test.cpp

#pragma once

#include <string_view>

namespace lanescope::emulator {

inline constexpr std::string_view kNoBarrier =
    "and no barrier is between them; put __syncthreads() there, or use an atomic";

}  // namespace lanescope::emulator
