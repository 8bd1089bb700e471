// How many integer divisions and remainders a kernel executes at least: for the timing model, where each is a
// subroutine. Method: the fewest div and rem instructions on any way through the PTX, loops taken once; a
// trace does not say which way was taken. MODEL. Tests: tests/unit/pipeline/division_count_test.cpp

#pragma once

#include <cstdint>
#include <string_view>

namespace lanescope::pipeline {

/// Of the first kernel whose PTX name is `kernel` or stands for it in the source; 0 where there is none.
uint32_t count_divisions(std::string_view ptx_text, std::string_view kernel);

}  // namespace lanescope::pipeline
