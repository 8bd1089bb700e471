// Sizes of memory where a machine's addresses are shorter than the numbers that the program counts with: in a
// browser they have 32 bits.

#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace lanescope {

/// `bytes` as an allocation takes them. Throws std::bad_alloc where no memory of this machine can have as
/// many: of 32 bits a container holds no more than half.
constexpr size_t memory_size(uint64_t bytes) {
  if (!std::in_range<ptrdiff_t>(bytes)) throw std::bad_alloc();
  return static_cast<size_t>(bytes);
}

}  // namespace lanescope
