// What is done to a layout against bank conflicts: CuTe's Swizzle<B, M, S>, Triton's swizzle, padded rows.
// Method: pure arithmetic on offsets in elements. Source: CUTLASS, include/cute/swizzle.hpp (the formula);
// Triton, SwizzledSharedEncodingAttr (the formula). Tests: tests/unit/layout/swizzle_test.cpp

#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace lanescope::layout {

/// XORs `bits` bits of an offset, from bit `base` on, with as many bits that are `shift` higher; with a
/// negative shift the upper ones are changed and the lower ones are taken.
struct Swizzle {
  uint32_t bits = 0;
  uint32_t base = 0;
  int32_t shift = 0;
  bool operator==(const Swizzle&) const = default;
};
uint32_t apply(const Swizzle& swizzle, uint32_t offset);

/// Groups of `vec` elements of a line change their order: group g of line n goes to g XOR phase, where the
/// phase is (n / per_phase) mod max_phase.
struct TritonSwizzle {
  uint32_t vec = 1;
  uint32_t per_phase = 1;
  uint32_t max_phase = 1;
  bool operator==(const TritonSwizzle&) const = default;
};
/// Where element `place` of line `line` goes within its line.
uint32_t apply(const TritonSwizzle& swizzle, uint32_t line, uint32_t place);

/// Unused elements after each line.
struct Padding {
  uint32_t elements = 0;
  bool operator==(const Padding&) const = default;
};

struct Plain {
  bool operator==(const Plain&) const = default;
};
using Arrangement = std::variant<Plain, Swizzle, TritonSwizzle, Padding>;

/// "plain", "Swizzle<3,3,3>", "Triton (8,1,8)", "padding 8".
std::string name_of(const Arrangement& arrangement);

/// "3,3,3". Errors (Usage): more than 16 bits, or |S| < B, with which bits would be XORed with themselves.
Result<Swizzle> parse_swizzle(std::string_view text);
/// "8,1,8", each a power of two. Errors: Usage.
Result<TritonSwizzle> parse_triton(std::string_view text);
/// "8". Errors: Usage.
Result<Padding> parse_padding(std::string_view text);

}  // namespace lanescope::layout
