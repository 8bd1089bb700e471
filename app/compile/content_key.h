// A key for the inputs of a compilation: the same source, headers and options give the same key on every
// machine. Method: XXH3, 128 bits, over each part preceded by its length. It names files; it is not
// cryptographic. Tests: tests/unit/compile/content_key_test.cpp

#pragma once

#include "compile/compile.h"

#include <string>
#include <string_view>

namespace lanescope::compile {

/// 32 hexadecimal digits. `compiler` is "13.0" for a key of one compiler, empty for any. Include directories
/// do not count: their files are not part of the project.
std::string content_key(const Source& source, const Options& options, std::string_view compiler);

}  // namespace lanescope::compile
