// Extent of a grid or a block, or a position in one, as CUDA's dim3 and uint3.
// Method: x varies fastest in every linear index. Source: CUDA C++ Programming Guide, "Thread Hierarchy".

#pragma once

#include <cstdint>

namespace lanescope {

struct Dim3 {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;
  bool operator==(const Dim3&) const = default;
};

constexpr uint64_t volume(Dim3 extent) { return uint64_t{extent.x} * extent.y * extent.z; }

constexpr uint64_t linear(Dim3 position, Dim3 extent) {
  return position.x + uint64_t{extent.x} * (position.y + uint64_t{extent.y} * position.z);
}

constexpr Dim3 position_of(uint64_t index, Dim3 extent) {
  return {static_cast<uint32_t>(index % extent.x), static_cast<uint32_t>(index / extent.x % extent.y),
          static_cast<uint32_t>(index / extent.x / extent.y)};
}

}  // namespace lanescope
