// Which lines of an edited text are those of the text that ran: its costs stay with them while one types.
// Method: the common first and last lines, and the longest common subsequence of what is between.
// Tests: tests/gui/editor_text_test.cpp

#pragma once

#include <string_view>
#include <vector>

namespace lanescope::view {

/// [line - 1 of `now`] the line of `before` that it is, from 1; 0 for a line that is new or changed.
std::vector<int> matching_lines(std::string_view before, std::string_view now);

}  // namespace lanescope::view
