// Minimum number of integer divisions and remainders that a kernel executes, for the timing model: each is a
// subroutine on the GPU. Method: the fewest div and rem instructions on any path through the PTX, loops taken
// once; a trace does not record the path. MODEL. Tests: tests/unit/pipeline/division_count_test.cpp

#pragma once

#include <cstdint>
#include <string_view>

namespace lanescope::pipeline {

/// For the first kernel whose name in the PTX or in the source is `kernel`; 0 where there is none.
uint32_t count_divisions(std::string_view ptx_text, std::string_view kernel);

}  // namespace lanescope::pipeline
