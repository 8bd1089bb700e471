// A name for what a compilation depends on: the same source, headers and options give the same key, on every
// machine. Method: XXH3, 128 bits, over each part with its length before it. It names files; it is no
// protection. Tests: tests/unit/compile/content_key_test.cpp

#pragma once

#include "compile/compile.h"

#include <string>
#include <string_view>

namespace lanescope::compile {

/// 32 hexadecimal digits. `compiler` is "13.0" for a key that holds for one compiler only, empty for any.
/// Include directories do not count: what stands in them is not the project's.
std::string content_key(const Source& source, const Options& options, std::string_view compiler);

}  // namespace lanescope::compile
