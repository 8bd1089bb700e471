// The names of a Python kernel's arguments, from the `def` line of its source. Tests:
// tests/unit/driver/array_arguments_test.cpp

#pragma once

#include "driver/source_texts.h"
#include "ptx/program.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::driver {

/// "a", "out" of "def add(a, out, *, n: int = 3):" in `text`; the last definition of `function` counts. Empty
/// where there is none.
std::vector<std::string> names_in(std::string_view text, std::string_view function);

/// The text that a kernel's lines are in; empty where that is not known.
std::string source_of(const ptx::Program& program, SourceTexts& sources);

/// Those of a kernel, from the source that its lines are in; empty where that is not known.
std::vector<std::string> argument_names(const ptx::Program& program, SourceTexts& sources);

}  // namespace lanescope::driver
