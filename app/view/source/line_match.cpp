#include "view/source/line_match.h"

#include "base/lines.h"

#include <algorithm>
#include <cstdint>

namespace lanescope::view {
namespace {

using Lines = std::vector<std::string_view>;

/// Cells of the table of lengths; what differs more is taken as new.
constexpr size_t kMostCells = 1'000'000;

/// Of the lines of `now` from `first` to `now_end`, which are those of `before` up to `before_end`.
void match_middle(const Lines& before, const Lines& now, size_t first, size_t before_end, size_t now_end,
                  std::vector<int>& matched) {
  const size_t rows = now_end - first, columns = before_end - first;
  if (rows == 0 || columns == 0 || rows > kMostCells / columns) return;
  // [row][column] length of the longest common subsequence of what follows.
  std::vector<uint32_t> length((rows + 1) * (columns + 1));
  const auto at = [&](size_t row, size_t column) -> uint32_t& {
    return length[row * (columns + 1) + column];
  };
  for (size_t row = rows; row-- > 0;)
    for (size_t column = columns; column-- > 0;)
      at(row, column) = now[first + row] == before[first + column]
                            ? at(row + 1, column + 1) + 1
                            : std::max(at(row + 1, column), at(row, column + 1));
  for (size_t row = 0, column = 0; row < rows && column < columns;) {
    if (now[first + row] == before[first + column])
      matched[first + row++] = static_cast<int>(first + ++column);
    else if (at(row + 1, column) >= at(row, column + 1))
      ++row;
    else
      ++column;
  }
}

}  // namespace

std::vector<int> matching_lines(std::string_view before_text, std::string_view now_text) {
  const Lines before = lines_of(before_text), now = lines_of(now_text);
  std::vector<int> matched(now.size());
  const size_t least = std::min(before.size(), now.size());
  size_t first = 0;
  for (; first < least && before[first] == now[first]; ++first) matched[first] = static_cast<int>(first + 1);
  size_t last = 0;
  for (; last < least - first && before[before.size() - 1 - last] == now[now.size() - 1 - last]; ++last)
    matched[now.size() - 1 - last] = static_cast<int>(before.size() - last);
  match_middle(before, now, first, before.size() - last, now.size() - last, matched);
  return matched;
}

}  // namespace lanescope::view
