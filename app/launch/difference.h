// Where two contents of one buffer differ. Tests: tests/unit/launch/difference_test.cpp

#pragma once

#include "launch/launch.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace lanescope::launch {

struct Difference {
  uint64_t first = 0;  // element, counted over the whole buffer
  uint64_t count = 0;  // of elements that differ in any bit
};
/// Absent where all bytes are equal. `one` and `other` have as many as the buffer's type and shape say.
std::optional<Difference> difference_of(const Buffer& buffer, std::span<const std::byte> one,
                                        std::span<const std::byte> other);

/// "out[3][17]": an element by its number in the buffer.
std::string element_name(const Buffer& buffer, uint64_t element);
/// Its value with as many digits as tell it from its neighbors.
std::string element_value(ElementType type, std::span<const std::byte> element);

}  // namespace lanescope::launch
