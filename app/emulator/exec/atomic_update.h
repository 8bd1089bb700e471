// The update of one address by an atomic: the operations, and update(), which applies one. Global memory
// is updated with the CPU's own atomics if blocks run at the same time. Compiled once per instruction set,
// like lanes.h. Source: PTX ISA, "Parallel Synchronization: atom, red". Tests:
// tests/unit/emulator/atomic_test.cpp

#pragma once

#include "emulator/exec/access.h"
#include "emulator/exec/arithmetic.h"
#include "emulator/exec/half_format.h"

#include <type_traits>

namespace lanescope::emulator::LANESCOPE_VECTORS {

struct Exchange {
  template <class T>
  constexpr T operator()(T, T b) const {
    return b;
  }
};
struct CompareAndSwap {
  template <class T>
  constexpr T operator()(T old, T b, T c) const {
    return old == b ? c : old;
  }
};
struct Increment {  // wraps to 0 after b
  template <class T>
  constexpr T operator()(T old, T b) const {
    return old >= b ? 0 : old + 1;
  }
};
struct Decrement {  // back to b below 0
  template <class T>
  constexpr T operator()(T old, T b) const {
    return old == 0 || old > b ? b : old - 1;
  }
};

/// F on halves and on pairs of them, as bits.
template <class F, class Format>
struct OnHalf {
  static uint16_t apply(uint16_t old, uint16_t b) {
    const float value = F{}(widen(Format{old}), widen(Format{b}));
    if constexpr (std::is_same_v<Format, Half>) {
      return to_half(value).bits;
    } else {
      return to_bfloat(value).bits;
    }
  }
  uint16_t operator()(uint16_t old, uint16_t b) const { return apply(old, b); }
};
template <class F, class Format>
struct OnPair {
  uint32_t operator()(uint32_t old, uint32_t b) const {
    const auto high = [](uint32_t pair) { return static_cast<uint16_t>(pair >> 16); };
    using Each = OnHalf<F, Format>;
    return uint32_t{Each::apply(high(old), high(b))} << 16 |
           Each::apply(static_cast<uint16_t>(old), static_cast<uint16_t>(b));
  }
};
/// F of two numbers; if one of them is a NaN, the other.
template <class F>
struct NumberOf {
  float operator()(float old, float b) const {
    if (__builtin_isnan(old)) return b;
    if (__builtin_isnan(b)) return old;
    return F{}(old, b);
  }
};

/// In global memory a sum of f32 flushes subnormals to zero; in shared memory it keeps them.
inline float flushed(float value) {
  return __builtin_fabsf(value) < 0x1p-126f ? __builtin_copysignf(0.0f, value) : value;
}
inline float canonical(float value) {
  return !__builtin_isnan(value) ? value : __builtin_bit_cast(float, 0x7fffffffu);
}

template <class F, class T>
[[gnu::always_inline]] inline T combined(T old, T b, T c, bool is_global) {
  if constexpr (std::is_same_v<F, Add> && std::is_same_v<T, float>) {
    if (is_global) return canonical(flushed(flushed(old) + flushed(b)));
    return canonical(old + b);
  } else if constexpr (std::is_invocable_v<F, T, T>) {
    return F{}(old, b);
  } else {
    return F{}(old, b, c);
  }
}

/// True if the updates of several lanes can be combined before memory is updated.
template <class F, class T>
inline constexpr bool kJoins =
    std::is_integral_v<T> &&
    (std::is_same_v<F, Add> || std::is_same_v<F, Minimum> || std::is_same_v<F, Maximum> ||
     std::is_same_v<F, And> || std::is_same_v<F, Or> || std::is_same_v<F, Xor>);

/// Replaces the value at `at` by f(value, b, c); returns what was there.
template <class F, class T>
[[gnu::always_inline]] inline Cell<T> update(uintptr_t at, const Target& target, Cell<T> b, Cell<T> c) {
  using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, Cell<T>>;
  auto* const place = reinterpret_cast<Bits*>(at);
  const auto next = [&](Bits old) {
    return static_cast<Bits>(
        to_cell<T>(combined<F, T>(from_cell<T>(old), from_cell<T>(b), from_cell<T>(c), target.is_global)));
  };
  if constexpr (std::is_same_v<F, Add> && std::is_integral_v<T>) {
    if (target.others_see_it) return __atomic_fetch_add(place, static_cast<Bits>(b), __ATOMIC_SEQ_CST);
  }
  Bits old = __atomic_load_n(place, __ATOMIC_RELAXED);
  if (!target.others_see_it) {
    __atomic_store_n(place, next(old), __ATOMIC_RELAXED);
    return old;
  }
  while (!__atomic_compare_exchange_n(place, &old, next(old), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  return old;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
