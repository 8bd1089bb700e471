// The end of a race's sentence that findings.cpp replaces where a barrier lies between the two sides and part
// of the block has not reached it. Tests: tests/cli/findings_test.cpp

#pragma once

#include <string_view>

namespace lanescope::emulator {

inline constexpr std::string_view kNoBarrier =
    "and no barrier is between them; put __syncthreads() there, or use an atomic";

}  // namespace lanescope::emulator
