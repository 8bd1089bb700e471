// Names of a kernel's arguments, from its source: the `def` line in Python, the declaration in CUDA C++.
// Tests: tests/unit/driver/array_arguments_test.cpp

#pragma once

#include "driver/server/source_texts.h"
#include "ptx/program.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::driver {

/// Arguments of the last definition of `function` in `text`: "a", "out", "n" for
/// "def add(a, out, *, n: int = 3):". Empty if there is no definition.
std::vector<std::string> names_in(std::string_view text, std::string_view function);

/// Names of the `count` parameters of `kernel`: "x", "out" for "scale<4>", declared as
/// "__global__ void scale(const float* x, float* out)". Empty if `text` does not declare the kernel.
std::vector<std::string> cuda_names_in(std::string_view text, std::string_view kernel, size_t count);

/// Files outside of CUDA's headers that have lines of the program, or calls from which they are reached; each
/// once.
std::vector<std::string> source_files_of(const ptx::Program& program);

/// Name of that file which declares the kernel, else of the first one; empty where none is known.
std::string kernel_file_of(const ptx::Program& program, SourceTexts& sources);

/// Text of the first of source_files_of(), which is the only one of a Python kernel; empty if it is not
/// known.
std::string source_of(const ptx::Program& program, SourceTexts& sources);

/// Argument names of a Python kernel, from source_of(); empty if the source is not known.
std::vector<std::string> argument_names(const ptx::Program& program, SourceTexts& sources);

/// [parameter of the PTX] Names for a CUDA C++ kernel; empty if the source is not known.
std::vector<std::string> parameter_names(const ptx::Program& program, SourceTexts& sources);

}  // namespace lanescope::driver
