// Names of files as CUDA's compilers write them into PTX, and text that a terminal may show. Tests:
// tests/unit/base/escape_test.cpp

#pragma once

#include <string>
#include <string_view>

namespace lanescope {

/// The text between quotation marks of a `.file` directive, without its escapes: `\" \\ \n \t \r` and three
/// octal digits, as NVRTC 13.0 writes them. Any other backslash is kept.
std::string unescaped(std::string_view text);
/// The reverse: printable ASCII, with escapes for all else.
std::string escaped(std::string_view text);

/// `text` for a terminal, which would obey control characters: ^[ for escape, and so on. Line feeds and tabs
/// are kept.
std::string without_control_characters(std::string_view text);

}  // namespace lanescope
