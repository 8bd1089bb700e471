// The names of a kernel's arguments, from its source: of Python's from the `def` line, of CUDA C++ from the
// declaration. Tests:
// tests/unit/driver/array_arguments_test.cpp

#pragma once

#include "driver/source_texts.h"
#include "ptx/program.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::driver {

/// "a", "out" of "def add(a, out, *, n: int = 3):" in `text`; the last definition of `function` counts. Empty
/// where there is none.
std::vector<std::string> names_in(std::string_view text, std::string_view function);

/// "x", "out" of "__global__ void scale(const float* x, float* out)", for the kernel "scale<4>" of `count`
/// parameters; empty where it is not declared.
std::vector<std::string> cuda_names_in(std::string_view text, std::string_view kernel, size_t count);

/// The text that a kernel's lines are in; empty where that is not known.
std::string source_of(const ptx::Program& program, SourceTexts& sources);

/// Those of a kernel of Python, from the source that its lines are in; empty where that is not known.
std::vector<std::string> argument_names(const ptx::Program& program, SourceTexts& sources);

/// [parameter of the PTX] of a kernel of CUDA C++; empty where the source is not known.
std::vector<std::string> parameter_names(const ptx::Program& program, SourceTexts& sources);

}  // namespace lanescope::driver
