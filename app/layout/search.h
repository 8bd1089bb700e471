// The smallest swizzle and the smallest padding with which all given accesses of a tile are free of bank
// conflicts. Method: tries them in rising order of size and stops at the first that serves; the banks repeat
// after 128 bytes, so neither a larger padding nor bits above the tile's change anything. Tests:
// tests/unit/layout/search_test.cpp

#pragma once

#include "layout/access.h"

#include <optional>
#include <vector>

namespace lanescope::layout {

struct Candidate {
  Arrangement arrangement = Plain{};
  uint64_t excess = 0;      // wavefronts above the ideal, of all accesses together
  uint32_t size_bytes = 0;  // of the tile
};

struct Found {
  uint32_t plain_bytes = 0;  // of the tile without an arrangement
  bool plain_serves = false;
  std::optional<Candidate> swizzle;  // serves all accesses: least B, then M, then S
  std::optional<Candidate> padding;  // serves all accesses: least elements
  std::optional<Candidate> best;     // where neither serves: the least excess; none: no access is possible
};

/// Ignores the tile's own arrangement. Errors: those of place().
Result<Found> search(const Tile& tile, const std::vector<Access>& accesses);

}  // namespace lanescope::layout
