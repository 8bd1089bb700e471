// A tile of a matrix in shared memory: layout, arrangement and element type, and where each element lies.
// Method: the layout gives an offset in elements, the arrangement changes it, and the element's size makes
// bytes of it. A line is what the faster mode runs along: a row of a row-major tile, a column of a
// column-major one. Tests: tests/unit/layout/tile_test.cpp

#pragma once

#include "launch/element_type.h"
#include "layout/layout.h"
#include "layout/swizzle.h"

#include <cstdint>
#include <vector>

namespace lanescope::layout {

struct Tile {
  Layout layout;
  launch::ElementType element = launch::ElementType::F16;
  Arrangement arrangement = Plain{};
  bool operator==(const Tile&) const = default;
};

/// A tile whose elements have their offsets. Coordinates are (line, place): of a row-major tile (row,
/// column).
struct PlacedTile {
  uint32_t lines = 0;
  uint32_t line_elements = 0;
  bool lines_are_rows = true;
  uint32_t pitch_elements = 0;  // of the layout: the least distance of two lines, after which padding goes
  uint32_t element_bytes = 0;
  uint32_t size_bytes = 0;             // of shared memory, with gaps and padding
  std::vector<uint32_t> offset_bytes;  // [line][place]

  uint32_t at(uint32_t line, uint32_t place) const { return offset_bytes[line * line_elements + place]; }
  uint32_t rows() const { return lines_are_rows ? lines : line_elements; }
  uint32_t columns() const { return lines_are_rows ? line_elements : lines; }
  /// Of an element by its row and column.
  uint32_t at_row_column(uint32_t row, uint32_t column) const {
    return lines_are_rows ? at(row, column) : at(column, row);
  }
};

/// Errors (Usage): two elements at one offset, more bytes than a block's shared memory has, or an arrangement
/// that leaves the line.
Result<PlacedTile> place(const Tile& tile);

/// The same tile without its arrangement.
Tile plain(const Tile& tile);

}  // namespace lanescope::layout
