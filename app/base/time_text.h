// Times in the unit that fits: microseconds below a millisecond, milliseconds below a second. Tests:
// tests/unit/base/time_text_test.cpp

#pragma once

#include "base/text.h"

#include <string>

namespace lanescope {

/// For a terminal, in English and ASCII: "12.3 us", "4.5 ms", "1.20 s".
std::string time_text(double seconds);
/// In a language, as decimal() writes numbers: "12.3 µs", "4,5 ms", "1.2 s".
std::string time_text(Language language, double seconds);

}  // namespace lanescope
