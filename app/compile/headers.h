// Common C headers, which NVRTC does not have, and advice for a missing header. Method: NVRTC has printf,
// assert, malloc, memcpy and the mathematical functions without any header, so most of these are empty; the
// others have alloca, constants, types and limits of x86-64 Linux, where the kernel's host code runs. Source:
// NVRTC documentation, "Language: Runtime-defined macros, Predefined types, Builtin Functions". Tests:
// tests/unit/compile/headers_test.cpp

#pragma once

#include "compile/source.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// stdint.h and cstdint, stdio.h and cstdio, ...: for nvrtcCreateProgram, after the headers that come with
/// the source.
const std::vector<Header>& standard_headers();

/// A sentence about the header that NVRTC could not open according to its log: which package has it, what to
/// try. Empty if the log names none. `searched`: the folders of CUDA headers that were searched.
std::string advice_on_missing_header(std::string_view log,
                                     const std::vector<std::filesystem::path>& searched);

/// True if standard_headers() has a header of this name.
bool is_standard_header(std::string_view name);

/// True if a header of CUDA declares functions that only host code can call: Thrust, cuBLAS, ...
bool is_host_library(std::string_view name);

/// A sentence about a feature of CUDA that Lanescope lacks, if the log has errors from one; else empty.
std::string advice_on_unsupported(std::string_view log);

}  // namespace lanescope::compile
