// Random tiles with one access each, for comparison with a GPU's counters. The same seed gives the same cases
// on every machine.

#pragma once

#include "layout/report.h"

#include <cstdint>
#include <vector>

namespace lanescope::tests {

inline constexpr size_t kLayoutCases = 200;
inline constexpr uint64_t kLayoutSeed = 20261123;

/// Tiles of at most 48 KB whose access is possible; no two are equal. Every family of accesses is among them:
/// rows, columns, fragments, cp.async, ldmatrix, stmatrix.
std::vector<layout::QuestionText> random_layouts(size_t count, uint64_t seed);

}  // namespace lanescope::tests
