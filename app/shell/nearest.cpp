#include "shell/nearest.h"

#include <algorithm>

namespace lanescope::shell {
namespace {

/// Source: Damerau, "A technique for computer detection and correction of spelling errors" (1964), as the
/// optimal string alignment: no letter is edited twice.
size_t edit_distance(std::string_view one, std::string_view other) {
  const size_t columns = other.size() + 1;
  std::vector<size_t> distance((one.size() + 1) * columns);  // [letters of one][letters of other]
  const auto at = [&](size_t i, size_t j) -> size_t& { return distance[i * columns + j]; };
  for (size_t i = 0; i <= one.size(); ++i) at(i, 0) = i;
  for (size_t j = 0; j <= other.size(); ++j) at(0, j) = j;
  for (size_t i = 1; i <= one.size(); ++i)
    for (size_t j = 1; j <= other.size(); ++j) {
      const size_t differs = one[i - 1] != other[j - 1] ? 1 : 0;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + differs});
      if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return distance.back();
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& names) {
  constexpr size_t kLongestWord = 64;  // longer ones are no names, and comparing takes the square of the time
  if (word.size() > kLongestWord) return {};
  std::optional<std::string> found;
  size_t least = std::max<size_t>(word.size() / 3, 1) + 1;
  for (const std::string& name : names)
    if (const size_t distance = edit_distance(word, name); distance < least) {
      least = distance;
      found = name;
    }
  return found;
}

}  // namespace lanescope::shell
