// The built-in rules for a kernel's output, computed on the host in the plainest way.
// Tests: tests/unit/lesson/check_test.cpp

#pragma once

#include "lesson/lesson.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanescope::lesson {

/// One of `count` parts of the input, that threads share the work.
struct InputPart {
  uint32_t number = 0;
  uint32_t count = 1;
};

/// Whether `out` is what `rule` makes of this part of `in`, a matrix of `size` with elements of
/// `element_bytes`, in tiles of `tile` x `tile`:
///   Copy: the same; Transpose: element (r, c) at (c, r);
///   TurnTiles: each tile transposed where it is, an element without a mirror image unmoved;
///   MoveTiles: tile (i, j) at (j, i), its elements as they were; one that finds no place there is left out.
bool output_is_correct(OutputRule rule, std::span<const std::byte> in, std::span<const std::byte> out,
                       MatrixSize size, uint32_t element_bytes, uint32_t tile, InputPart part = {});

}  // namespace lanescope::lesson
