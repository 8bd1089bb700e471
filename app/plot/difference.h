// How a number of one run compares with the same number of another, in words. Tests:
// tests/unit/plot/difference_test.cpp

#pragma once

#include "plot/figure.h"

#include <cstdint>
#include <span>
#include <string>

namespace lanescope::plot {

enum class Change : uint8_t { Same, Less, More };
constexpr Change change_of(double now, double in_a) {
  return now == in_a ? Change::Same : now < in_a ? Change::Less : Change::More;
}

/// "32× fewer", "4.6× more", "as in A"; "in A: 31" where a ratio would be infinite.
std::string difference_text(Language language, double now, double in_a);

/// The same of a headline, against the headline at the same place of A's figure; empty where that is no such
/// number, or they are equal.
std::string difference_text(Language language, std::span<const Headline> now, size_t index,
                            std::span<const Headline> in_a);

}  // namespace lanescope::plot
