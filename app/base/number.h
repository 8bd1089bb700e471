// Numbers as a language writes them. Tests: tests/unit/plot/wording_test.cpp

#pragma once

#include "base/text.h"

#include <cstdint>
#include <string>

namespace lanescope {

/// 1,048,576 in English, 1 048 576 in French (with no-break spaces).
std::string number(Language language, uint64_t value);
/// With one digit after the point or comma, none if it is zero: "1.2", "8".
std::string decimal(Language language, double value);
/// `digits`, a number with a point, with the mark of the language: "1.25", "1,25".
std::string with_mark(Language language, std::string digits);
/// A share of 1 in percent: "12.5 %", "100 %".
std::string percent(Language language, double share);

}  // namespace lanescope
