// The shape of an array, and the name of the element that has a byte. Tests:
// tests/unit/base/array_shape_test.cpp

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

struct ArrayShape {
  std::vector<uint64_t> extents;  // slowest first; the first need not be known, and is 0 then
  uint32_t element_bytes = 0;     // 0: the shape is not known
  bool operator==(const ArrayShape&) const = default;
};

/// "tile[0][16]": the element that has byte `offset` of the array; empty where the shape is not known. An
/// element beyond the array has a first index that is too large.
std::string element_at(std::string_view name, const ArrayShape& shape, uint64_t offset);

/// "tile[0][16], byte 64 of PLACE", or "offset 64 of PLACE" where there is no name of the element.
std::string place_at(std::string_view element, uint64_t offset, std::string_view place);

}  // namespace lanescope
