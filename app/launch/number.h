// Parses a number of the command line into its bytes in memory. Method: whole numbers in decimal or, with 0x,
// in hexadecimal; others in decimal, also 1e-3, inf and nan. A number that its type cannot hold is an error
// and never wraps. Tests: tests/unit/launch/number_test.cpp

#pragma once

#include "launch/launch.h"

#include <string_view>
#include <vector>

namespace lanescope::launch {

/// The little-endian bytes of one element of `type` with the value of `text`.
Result<std::vector<std::byte>> parse_number(ElementType type, std::string_view text);

/// The beginning of a user's text, as errors repeat it.
std::string_view shortened(std::string_view text);

/// A whole number from 0 to 2^64 - 1; `what` names it in the error ("the seed").
Result<uint64_t> parse_count(std::string_view what, std::string_view text);

}  // namespace lanescope::launch
