// Splits a text into its lines, and trims them. Tests: tests/unit/base/lines_test.cpp

#pragma once

#include <string_view>
#include <vector>

namespace lanescope {

/// [line - 1] without the line feed; a carriage return stays. What follows the last line feed is a line too,
/// so a text has at least one. The lines are parts of `text`.
std::vector<std::string_view> lines_of(std::string_view text);

/// Without spaces, tabs and carriage returns at either end.
std::string_view trimmed(std::string_view text);

}  // namespace lanescope
