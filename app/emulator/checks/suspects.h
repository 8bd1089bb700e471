// Pages of global memory where blocks race, found by one run and examined in detail by the next.
// Tests: tests/unit/emulator/grid_race_test.cpp

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanescope::emulator {

/// Keys of the pages where blocks race, rising; the first kMaximum of them.
struct Suspects {
  static constexpr size_t kMaximum = 4096;
  std::vector<uint64_t> pages;
};

}  // namespace lanescope::emulator
