// The two 16-bit floating-point formats, as conversions to and from f32.
// Method: widening is exact; narrowing rounds to nearest even on the bits, so that every instruction set
// gives the same. Source: IEEE 754 binary16; bfloat16 is the upper half of an f32. Tests:
// tests/unit/emulator/convert_test.cpp

#pragma once

#include <cstdint>

namespace lanescope::emulator {

struct Half {
  uint16_t bits = 0;
};
struct Bfloat {
  uint16_t bits = 0;
};

[[gnu::always_inline]] constexpr float widen(Bfloat value) {
  return __builtin_bit_cast(float, uint32_t{value.bits} << 16);
}

[[gnu::always_inline]] constexpr float widen(Half value) {
  const uint32_t sign = uint32_t{value.bits & 0x8000u} << 16;
  const uint32_t rest = value.bits & 0x7fffu;
  if (rest >= 0x7c00) return __builtin_bit_cast(float, sign | 0x7f800000u | (rest & 0x3ff) << 13);
  if (rest >= 0x0400) return __builtin_bit_cast(float, sign | ((rest << 13) + ((127u - 15u) << 23)));
  // Zero or subnormal: a multiple of 2^-24.
  const float magnitude = static_cast<float>(rest) * 0x1p-24f;
  return __builtin_bit_cast(float, sign | __builtin_bit_cast(uint32_t, magnitude));
}

/// `bits` without its lowest `drop` bits, rounded to nearest even.
constexpr uint32_t drop_bits(uint32_t bits, uint32_t drop) {
  const uint32_t half = (uint32_t{1} << drop) >> 1;
  const uint32_t odd = bits >> drop & 1;
  return (bits + half - 1 + odd) >> drop;
}

[[gnu::always_inline]] constexpr Bfloat to_bfloat(float value) {
  const uint32_t bits = __builtin_bit_cast(uint32_t, value);
  if (!(value == value)) return {0x7fff};
  return {static_cast<uint16_t>(drop_bits(bits, 16))};
}

[[gnu::always_inline]] constexpr Half to_half(float value) {
  const uint32_t bits = __builtin_bit_cast(uint32_t, value);
  const uint32_t sign = bits >> 16 & 0x8000;
  const uint32_t rest = bits & 0x7fffffff;
  if (rest > 0x7f800000) return {0x7fff};
  if (rest >= 0x47800000) return {static_cast<uint16_t>(sign | 0x7c00)};  // 65536 and more
  if (rest >= 0x38800000) return {static_cast<uint16_t>(sign | drop_bits(rest - ((127u - 15u) << 23), 13))};
  if (rest < 0x33000000) return {static_cast<uint16_t>(sign)};  // less than half of the smallest subnormal
  const uint32_t significand = (rest & 0x7fffff) | 0x800000;
  return {static_cast<uint16_t>(sign | drop_bits(significand, 126 - (rest >> 23)))};
}

}  // namespace lanescope::emulator
