// The search for a line among the ways of one set. Tests: tests/unit/caches/l1_cache_test.cpp,
// l2_cache_test.cpp

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace lanescope::caches {

/// Number of a way that holds no line.
inline constexpr uint64_t kNoLine = ~uint64_t{0};

/// The way of a set that holds the line with this number; kNoLine: the first free one. Nothing if none does.
template <class Set>
std::optional<size_t> way_of(const Set& set, uint64_t line) {
  const auto found = std::ranges::find(set.numbers, line);
  if (found == set.numbers.end()) return std::nullopt;
  return static_cast<size_t>(found - set.numbers.begin());
}

/// The line of a set with this number; null: not there.
template <class Set>
auto* line_in(Set& set, uint64_t line) {
  const auto way = way_of(set, line);
  return way ? &set.lines[*way] : nullptr;
}

}  // namespace lanescope::caches
