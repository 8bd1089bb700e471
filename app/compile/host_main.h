// Finds out if a source has the function `main`: it then is a program, whose host code has the launches of
// its kernels. Tests: tests/unit/compile/host_main_test.cpp

#pragma once

#include <string_view>

namespace lanescope::compile {

/// True where the text defines `main` as a function that returns int, void or auto. The preprocessor does not
/// run: a `main` in a part that a condition leaves out counts too.
bool defines_main(std::string_view source);

}  // namespace lanescope::compile
