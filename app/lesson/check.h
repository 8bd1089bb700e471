// What a lesson's kernel must have written, computed on the host in the plainest way.
// Tests: tests/unit/lesson/check_test.cpp

#pragma once

#include "lesson/lesson.h"
#include "lesson/matrix_launch.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace lanescope::lesson {

/// Whether `out` is what kernel kind `check` ("copy", "transpose", "fine_grained", "coarse_grained") makes of
/// `in`, a matrix of `size` with elements of `element_bytes`, and tiles of `tile`. Empty for an unknown kind.
std::optional<bool> output_is_correct(std::string_view check, std::span<const std::byte> in,
                                      std::span<const std::byte> out, MatrixSize size, uint32_t element_bytes,
                                      uint32_t tile);

}  // namespace lanescope::lesson
