// Reads a real number as std::from_chars does. Method: std::from_chars itself where the library has it for
// reals; else strtod, for a text that from_chars takes as well (libc++ has it from version 20 on,
// Emscripten's is older). Test: tests/unit/base/real_chars_test.cpp

#pragma once

#include <charconv>

namespace lanescope {

/// The result of std::from_chars of the same text, in the general format. `value` stays as it is unless there
/// is no error.
std::from_chars_result real_from_chars(const char* begin, const char* end, float& value);
std::from_chars_result real_from_chars(const char* begin, const char* end, double& value);

/// The same by strtof and strtod, whatever the library has.
std::from_chars_result real_by_strtod(const char* begin, const char* end, float& value);
std::from_chars_result real_by_strtod(const char* begin, const char* end, double& value);

}  // namespace lanescope
