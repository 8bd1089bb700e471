// Any floating-point format of PTX as a number and back, with every rounding: for the conversions that are
// rare. Method: all values of all formats are exact in Quad; a value is scaled so that the target's last bit
// counts one, rounded to an integer there, and put together again. Source: PTX ISA, "cvt", "Alternate
// Floating-Point Data Formats". Tests: tests/unit/emulator/convert_test.cpp

#pragma once

#include "emulator/exec/rounding.h"
#include "ptx/type.h"

#include <cstdint>

namespace lanescope::emulator {

/// A format: bits of the significand with the implicit one, the smallest exponent, and what it has of
/// special values.
struct FloatFormat {
  int precision;
  int smallest_exponent;
  int bits;
  int shift;          // of the pattern in its register
  uint64_t largest;   // pattern of the largest finite number
  uint64_t infinity;  // equal to `nan` where there is none
  uint64_t nan;
};

constexpr FloatFormat format_of(ptx::Type type) {
  switch (type) {
    case ptx::Type::f16:
    case ptx::Type::f16x2:
      return {11, -14, 16, 0, 0x7bff, 0x7c00, 0x7fff};
    case ptx::Type::bf16:
    case ptx::Type::bf16x2:
      return {8, -126, 16, 0, 0x7f7f, 0x7f80, 0x7fff};
    case ptx::Type::tf32:
      return {11, -126, 19, 13, 0x3fbff, 0x3fc00, 0x3ffff};
    case ptx::Type::e4m3:
    case ptx::Type::e4m3x2:
      return {4, -6, 8, 0, 0x7e, 0x7f, 0x7f};
    case ptx::Type::e5m2:
    case ptx::Type::e5m2x2:
      return {3, -14, 8, 0, 0x7b, 0x7c, 0x7f};
    case ptx::Type::f64:
      return {53, -1022, 64, 0, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000};
    default:
      return {24, -126, 32, 0, 0x7f7fffff, 0x7f800000, 0x7fffffff};
  }
}

/// 2^exponent; beyond the range of f64 as a product.
constexpr Quad power_of_two(int exponent) {
  constexpr int kSmallest = -1022, kLargest = 1023, kBias = 1023, kFractionBits = 52;
  if (exponent < kSmallest) return power_of_two(kSmallest) * power_of_two(exponent - kSmallest);
  if (exponent > kLargest) return power_of_two(kLargest) * power_of_two(exponent - kLargest);
  return __builtin_bit_cast(double, static_cast<uint64_t>(exponent + kBias) << kFractionBits);
}

inline Quad decode(const FloatFormat& format, uint64_t pattern) {
  const uint64_t bits = pattern >> format.shift & (~uint64_t{0} >> (64 - format.bits));
  const bool negative = bits >> (format.bits - 1) & 1;
  const uint64_t magnitude = bits & ((uint64_t{1} << (format.bits - 1)) - 1);
  Quad value = 0;
  if (magnitude > format.largest) {
    value = magnitude == format.infinity && format.infinity != format.nan ? Quad{__builtin_inf()}
                                                                          : Quad{__builtin_nan("")};
  } else {
    const int exponent = static_cast<int>(magnitude >> (format.precision - 1));
    const uint64_t fraction = magnitude & ((uint64_t{1} << (format.precision - 1)) - 1);
    const uint64_t significand = exponent == 0 ? fraction : fraction | uint64_t{1} << (format.precision - 1);
    const int last = format.smallest_exponent - format.precision + 1 + (exponent == 0 ? 0 : exponent - 1);
    value = static_cast<Quad>(significand) * power_of_two(last);
  }
  return negative ? -value : value;
}

/// To a whole number, of a magnitude below 2^126.
inline Quad round_to_whole(Quad value, ptx::Rounding rounding) {
  __extension__ using Integer = __int128;
  const Quad whole = static_cast<Quad>(static_cast<Integer>(value));
  const Quad rest = value - whole;
  const Quad away = value < 0 ? whole - 1 : whole + 1;
  const Quad size = rest < 0 ? -rest : rest;
  if (rest == 0) return whole;
  switch (rounding) {
    case ptx::Rounding::Zero:
      return whole;
    case ptx::Rounding::Down:
      return value < 0 ? away : whole;
    case ptx::Rounding::Up:
      return value < 0 ? whole : away;
    case ptx::Rounding::NearestAway:
      return size >= Quad{0.5} ? away : whole;
    default:
      if (size != Quad{0.5}) return size > Quad{0.5} ? away : whole;
      return (static_cast<Integer>(whole) & 1) != 0 ? away : whole;
  }
}

inline bool is_negative(Quad value) {
  return value < 0 || (value == 0 && __builtin_signbit(static_cast<double>(value)) != 0);
}

/// Result for numbers beyond the largest finite one.
enum class Overflow : uint8_t { ToInfinity, ToLargest };

inline uint64_t encode(const FloatFormat& format, Quad value, ptx::Rounding rounding, Overflow overflow) {
  if (is_nan(value)) {
    return format.nan << format.shift;
  }
  const uint64_t sign = is_negative(value) ? uint64_t{1} << (format.bits - 1) : 0;
  const bool was_infinite = !__builtin_isfinite(value);
  uint64_t magnitude = format.infinity;
  if (!was_infinite) {
    const Quad size = value < 0 ? -value : value;
    int last = format.smallest_exponent - format.precision + 1;
    // The exponent by f64, whose range is enough for all that is not subnormal there itself.
    const double about = static_cast<double>(size);
    if (about >= 0x1p-1022) {
      int exponent = std::ilogb(about);
      if (power_of_two(exponent) > size) --exponent;  // it was rounded up to a power of two
      last = exponent < format.smallest_exponent ? last : exponent - format.precision + 1;
    }
    const Quad scaled = value * power_of_two(-last);
    const Quad whole = round_to_whole(scaled, rounding);
    const auto digits = static_cast<uint64_t>(whole < 0 ? -whole : whole);
    const auto steps = static_cast<uint64_t>(last - (format.smallest_exponent - format.precision + 1));
    magnitude = (steps << (format.precision - 1)) + digits;
    if (magnitude > format.largest) {
      const bool stays = rounding == ptx::Rounding::Zero || (rounding == ptx::Rounding::Down && sign == 0) ||
                         (rounding == ptx::Rounding::Up && sign != 0);
      magnitude = stays ? format.largest : format.infinity;
    }
  }
  if (magnitude > format.largest && overflow == Overflow::ToLargest) magnitude = format.largest;
  return (sign | magnitude) << format.shift;
}

}  // namespace lanescope::emulator
