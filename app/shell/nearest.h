// The name that was meant by a mistyped one. Tests: tests/cli/command_line_test.cpp

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::shell {

/// The one of `names` that differs least from `word`; absent where all differ in more than a third of its
/// letters. Method: edit distance (insertions, deletions, substitutions, and swaps of neighbors).
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace lanescope::shell
