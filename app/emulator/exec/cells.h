// Storage of values in registers. Registers of up to 32 bits live in 32-bit cells. Compiled once per
// instruction set of the CPU, each time in another namespace.

#pragma once

#include <cstdint>
#include <type_traits>

#ifndef LANESCOPE_VECTORS
#define LANESCOPE_VECTORS plain_vectors
#endif

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// Size of a vector register of this instruction set in bytes.
#if defined(__AVX512F__)
inline constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

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
