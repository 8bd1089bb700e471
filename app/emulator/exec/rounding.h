// Roundings that the host's arithmetic does not have: towards zero, up and down for f32 and f64, and to odd,
// from which any narrower format is rounded once. Method: an operation is done once more where it is exact
// (f32 in f64, f64 in 113 bits), and the result to nearest moves one place if that says so. Source: PTX ISA,
// "Rounding Modifiers"; Boldo, Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms
// using rounding to odd". Tests: tests/unit/emulator/rounding_test.cpp

#pragma once

#include "ptx/modifier.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace lanescope::emulator {

/// Holds every product of two f64, every integer of 64 bits and every narrower format exactly.
#ifdef __SIZEOF_FLOAT128__
__extension__ using Quad = __float128;
#else
using Quad = long double;
#endif

template <class T>
using Wider = std::conditional_t<std::is_same_v<T, float>, double, Quad>;

template <class T>
constexpr bool is_nan(T value) {
  return __builtin_isnan(value);
}

/// The next number above or below; of zero the smallest subnormal.
template <class T>
constexpr T next_after(T value, bool up) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
  const Bits bits = __builtin_bit_cast(Bits, value);
  if (value == 0) return __builtin_bit_cast(T, static_cast<Bits>((up ? 0 : kSign) | 1));
  const bool away = up == ((bits & kSign) == 0);
  return __builtin_bit_cast(T, static_cast<Bits>(away ? bits + 1 : bits - 1));
}

/// `nearest` is the result to nearest; `side` says whether it lies above (> 0), at or below the exact one.
template <class T>
constexpr T directed(T nearest, int side, ptx::Rounding rounding) {
  if (side == 0 || is_nan(nearest)) return nearest;
  switch (rounding) {
    case ptx::Rounding::Down:
      return side > 0 ? next_after(nearest, false) : nearest;
    case ptx::Rounding::Up:
      return side < 0 ? next_after(nearest, true) : nearest;
    case ptx::Rounding::Zero: {
      if (nearest > 0 && side > 0) return next_after(nearest, false);
      if (nearest < 0 && side < 0) return next_after(nearest, true);
      return nearest;
    }
    default:
      return nearest;
  }
}

template <class W>
constexpr int compare(W a, W b) {
  return a > b ? 1 : a < b ? -1 : 0;
}

/// a + b, and where that is not exact the one of the two neighbors whose last bit is set: no later rounding
/// to fewer bits is affected by it.
[[gnu::always_inline]] inline double add_to_odd(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  const uint64_t bits = __builtin_bit_cast(uint64_t, sum);
  if (!__builtin_isfinite(sum) || error == 0 || is_nan(error) || (bits & 1) != 0) return sum;
  return __builtin_bit_cast(double, (error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}
/// The sign of (exact a + b) - sum, where sum is a + b rounded to T: the error of a sum is a number of the
/// format, so two subtractions give it.
template <class W>
inline W error_of_sum(W a, W b, W sum) {
  const W part = sum - a;
  return (a - (sum - part)) + (b - part);
}

/// To f32, with the last bit set where it is not exact.
[[gnu::always_inline]] inline float to_odd(double value) {
  const float nearest = static_cast<float>(value);
  const double back = static_cast<double>(nearest);
  const uint32_t bits = __builtin_bit_cast(uint32_t, nearest);
  const bool exact = back == value || is_nan(value);
  const bool below = __builtin_fabs(back) < __builtin_fabs(value);
  const uint32_t odd = bits & 1 ? bits : below ? bits + 1 : bits - 1;
  return __builtin_bit_cast(float, exact ? bits : odd);
}

/// Result of a symmetric operation on a and b. A compiler may swap its operands, and x86 gives the bits of
/// the first that is no number; an H200 gives those of b (measured: products; assumed: sums, as it adds in a
/// b + c).
template <class T>
[[gnu::always_inline]] constexpr T in_order(T result, T a, T b) {
  return is_nan(a) && is_nan(b) ? b + b : result;
}

/// a b + c. Of operands that are not numbers b gives its bits to the result, then c, then a (measured: H200).
[[gnu::always_inline]] inline double fused_multiply_add(double a, double b, double c) {
  const double result = __builtin_fma(a, b, c);
  const double chosen = is_nan(b) ? b : is_nan(c) ? c : a;
  return is_nan(result) && is_nan(chosen) ? chosen + chosen : result;
}

/// Sums and products of T with a chosen rounding.
template <class T>
struct Arithmetic {
  using W = Wider<T>;
  ptx::Rounding rounding;

  T sum(T a, T b) const { return wide_sum(static_cast<W>(a), static_cast<W>(b), in_order(a + b, a, b)); }
  T product(T a, T b) const {
    const T nearest = in_order(a * b, a, b);
    return directed(nearest, compare(static_cast<W>(nearest), static_cast<W>(a) * static_cast<W>(b)),
                    rounding);
  }
  T product_sum(T a, T b, T c) const {
    return wide_sum(static_cast<W>(a) * static_cast<W>(b), static_cast<W>(c),
                    sizeof(T) == 4
                        ? static_cast<T>(__builtin_fmaf(static_cast<float>(a), static_cast<float>(b),
                                                        static_cast<float>(c)))
                        : static_cast<T>(fused_multiply_add(static_cast<double>(a), static_cast<double>(b),
                                                            static_cast<double>(c))));
  }
  T quotient(T a, T b) const {
    const T nearest = a / b;
    const int side = compare(static_cast<W>(nearest) * static_cast<W>(b), static_cast<W>(a));
    return directed(nearest, b < 0 ? -side : side, rounding);
  }
  T root(T a) const {
    const T nearest = static_cast<T>(sizeof(T) == 4 ? __builtin_sqrtf(static_cast<float>(a))
                                                    : __builtin_sqrt(static_cast<double>(a)));
    return directed(nearest, compare(static_cast<W>(nearest) * static_cast<W>(nearest), static_cast<W>(a)),
                    rounding);
  }

 private:
  T wide_sum(W a, W b, T nearest) const {
    const W sum = a + b;
    // Opposite numbers give +0, but for rounding down.
    if (sum == 0 && a != 0 && rounding == ptx::Rounding::Down) return -T{0};
    if (sum == 0 && a == 0 && b == 0 && rounding == ptx::Rounding::Down &&
        (__builtin_signbit(static_cast<double>(a)) != 0 || __builtin_signbit(static_cast<double>(b)) != 0))
      return -T{0};
    int side = compare(static_cast<W>(nearest), sum);
    if (side == 0 && __builtin_isfinite(sum)) side = -compare(error_of_sum(a, b, sum), W{0});
    return directed(nearest, side, rounding);
  }
};

}  // namespace lanescope::emulator
