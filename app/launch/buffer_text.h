// The values of a buffer as text, for people: rows and columns of a matrix, the middle of long ones left out.
// Method: at most 8 rows and 8 columns from each end. Tests: tests/unit/launch/buffer_text_test.cpp

#pragma once

#include "launch/launch.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace lanescope::launch {

/// A part of a buffer along its first dimension: elements of a row, rows of a matrix.
struct Range {
  uint64_t first = 0;
  uint64_t end = ~uint64_t{0};  // one past the last
  bool is_whole() const { return first == 0 && end == ~uint64_t{0}; }
};

/// "f32[4x3]" and the elements, each row in a line. `bytes` has as many as type and shape say.
std::string buffer_text(const Buffer& buffer, std::span<const std::byte> bytes, const Range& range);

/// "out", "out[3:5]", "out[7]": the name of a buffer of the launch, or its number among the arguments, and a
/// range. Errors: Usage.
struct BufferPart {
  uint32_t buffer = 0;
  Range range;
};
Result<BufferPart> find_buffer_part(const Launch& launch, std::string_view text);

}  // namespace lanescope::launch
