// What NVRTC lacks of what nvcc has: names of the host's compiler and of headers that a whole program brings
// along. Method: its log says which names it does not know; a header or a macro is offered for each of them.
// Only what is missed is given, for CUDA's C++ library takes a second to read. Source: NVRTC documentation,
// "Language". Tests: tests/unit/compile/wanted_options_test.cpp

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// Options of NVRTC for what its log misses: "--pre-include=math.h", in the order to give them.
std::vector<std::string> wanted_options(std::string_view log);

}  // namespace lanescope::compile
