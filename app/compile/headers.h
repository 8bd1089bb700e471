// The C library's headers that kernels include out of habit, which NVRTC does not bring, and advice on a
// header that is not there. Method: NVRTC knows printf, assert, malloc, memcpy and the mathematical functions
// without any header, so most of these are empty; the others hold alloca, constants, types and limits of
// x86-64 Linux, where the kernel's host code runs. Source: NVRTC documentation, "Language: Runtime-defined
// macros, Predefined types, Builtin Functions". Tests: tests/unit/compile/headers_test.cpp

#pragma once

#include "compile/compile.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// stdint.h and cstdint, stdio.h and cstdio, ...: for nvrtcCreateProgram, behind the source's own headers.
const std::vector<Header>& standard_headers();

/// A sentence on the header that NVRTC's log says it could not open: which package has it, what to try. Empty
/// where the log names none. `searched`: the folders of CUDA headers that were looked into.
std::string advice_on_missing_header(std::string_view log,
                                     const std::vector<std::filesystem::path>& searched);

/// The standard headers that define what NVRTC's log says is undefined and nvcc knows without any header.
std::vector<std::string> headers_wanted(std::string_view log);

/// A sentence where the log complains of the program's host part: how to keep it away from the kernel. Else
/// empty.
std::string advice_on_host_code(std::string_view log);

}  // namespace lanescope::compile
