// Converts text of unknown encoding to UTF-8, the encoding of figures and exported files. Source: The Unicode
// Standard, table 3-7 (well-formed byte sequences). Tests: tests/unit/base/utf8_test.cpp

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanescope {

/// `text`, with U+FFFD for each byte that belongs to no well-formed sequence.
std::string valid_utf8(std::string_view text);

/// Bytes of the well-formed sequence at the beginning of `text`, 1 to 4; 0 where there is none.
size_t utf8_length(std::string_view text);

}  // namespace lanescope
