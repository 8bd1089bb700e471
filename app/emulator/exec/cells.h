// Storage of values in registers. Registers of up to 32 bits live in 32-bit cells. Compiled once per
// instruction set, like lanes.h.

#pragma once

#include "emulator/values/vectors.h"

#include <cstdint>
#include <type_traits>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// Unsigned integer that stores a value of type T in a register.
template <class T>
using Cell = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class T>
[[gnu::always_inline]] constexpr T from_cell(Cell<T> cell) {
  if constexpr (std::is_floating_point_v<T>) {
    return __builtin_bit_cast(T, cell);
  } else {
    return static_cast<T>(cell);
  }
}
template <class T>
[[gnu::always_inline]] constexpr Cell<T> to_cell(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return __builtin_bit_cast(Cell<T>, value);
  } else {
    return static_cast<Cell<T>>(static_cast<std::make_unsigned_t<T>>(value));
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
