// Layouts as CuTe writes them: (8,64):(64,1) is a shape and a stride, each a tuple that may be nested.
// Method: a tile has two modes, rows and columns; each is flattened into terms, and a coordinate is split
// over their extents, the first one fastest. Source: CUTLASS documentation, "CuTe Layouts". Tests:
// tests/unit/layout/layout_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::layout {

/// An extent of a mode and the distance of its neighbors, in elements.
struct Term {
  uint32_t extent = 1;
  uint32_t stride = 0;
  bool operator==(const Term&) const = default;
};
using Mode = std::vector<Term>;  // the first term is the fastest

struct Layout {
  Mode rows;         // mode 0
  Mode columns;      // mode 1
  std::string text;  // as it was written
  bool operator==(const Layout&) const = default;
};

/// Elements of a mode; within kMostElements.
uint32_t extent_of(const Mode& mode);
/// Offset in elements of a coordinate below extent_of(mode).
uint32_t offset_in(const Mode& mode, uint32_t coordinate);

/// More elements, or a larger offset, than the shared memory of a block has bytes.
inline constexpr uint32_t kMostElements = 227 << 10;

/// "(8,64):(64,1)" or "((8,2),64):((64,512),1)"; without strides columns follow each other, as CuTe has it:
/// "(8,64)" is (8,64):(1,8). A number may have CuTe's underscore: _8. Errors: Usage.
Result<Layout> parse_layout(std::string_view text);

}  // namespace lanescope::layout
