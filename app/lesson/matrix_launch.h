// The launch of a kernel on two matrices: (const Element* in, Element* out, int width, int height), a block
// of TILE x 8 threads for each tile of TILE x TILE elements of the input. Tests:
// tests/unit/lesson/lesson_test.cpp

#pragma once

#include "launch/launch.h"
#include "lesson/lesson.h"

namespace lanescope::lesson {

struct MatrixSize {
  uint32_t width = 0;
  uint32_t height = 0;
};

inline constexpr uint32_t kMaximumMatrixSide = 32768;

/// "1024" or "1024x512", each side from 1 to kMaximumMatrixSide.
Result<MatrixSize> parse_matrix_size(std::string_view text);

/// Grid, block, buffers "in" and "out", arguments. Element i of the input holds the number i, modulo what its
/// type counts exactly; the output starts as zeros. Contents of `previous`, if it is given, are shared where
/// they are equal: filling them takes longer than many a kernel.
Result<launch::Launch> matrix_launch(const Settings& settings, const launch::Launch* previous = nullptr);

}  // namespace lanescope::lesson
