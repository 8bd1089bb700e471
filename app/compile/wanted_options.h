// Options for names that nvcc has and NVRTC lacks: those of the host's compiler and of headers that a whole
// program brings along. Method: a header or a macro is offered for each unknown name in NVRTC's log. Only
// missed names get one, for CUDA's C++ library takes a second to read. Source: NVRTC documentation,
// "Language". Tests: tests/unit/compile/wanted_options_test.cpp

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// Options of NVRTC for what its log misses: "--pre-include=math.h", in the order to give them.
std::vector<std::string> wanted_options(std::string_view log);

}  // namespace lanescope::compile
