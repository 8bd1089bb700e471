// A key for the inputs of a compilation: the same source, headers and options give the same key on every
// machine. Method: XXH3, 128 bits, over each part preceded by its length. It names files; it is not
// cryptographic. Tests: tests/unit/compile/content_key_test.cpp

#pragma once

#include "compile/source.h"

#include <string>
#include <string_view>

namespace lanescope::compile {

/// 32 hexadecimal digits. `compiler` is "13.0" for a key of one compiler, empty for any. `included`: whatever
/// else counts, as the contents of the files in the include directories, which do not count by themselves.
std::string content_key(const Source& source, const Options& options, std::string_view compiler,
                        std::string_view included = {});

}  // namespace lanescope::compile
