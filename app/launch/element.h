// The C++ type of each ElementType, and the two 16-bit floating-point formats that C++23's g++ 12 lacks.
// Method: a double is rounded once, to nearest even, into the sign, exponent and mantissa of the target.
// Source: IEEE 754 binary16; bfloat16 is the upper half of binary32 (PTX ISA, "Alternate floating-point
// data formats"). Tests: tests/unit/launch/element_test.cpp

#pragma once

#include "launch/element_type.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace lanescope::launch {

struct Float16 {
  uint16_t bits = 0;
};
struct BFloat16 {
  uint16_t bits = 0;
};
/// Sixteen bytes that are copied unchanged; as a number, a 128-bit unsigned integer.
struct Quad {
  uint64_t low = 0;
  uint64_t high = 0;
};

/// Nearest value, ties to even; beyond the largest finite value it is infinity, a NaN stays a quiet NaN.
Float16 to_float16(double value);
BFloat16 to_bfloat16(double value);
/// Exact.
double to_double(Float16 value);
double to_double(BFloat16 value);

/// Calls f(T{}) with a value of the C++ type of `type`.
template <class F>
decltype(auto) with_type(ElementType type, F&& f) {
  switch (type) {
    case ElementType::U8:
      return f(uint8_t{});
    case ElementType::I8:
      return f(int8_t{});
    case ElementType::U16:
      return f(uint16_t{});
    case ElementType::I16:
      return f(int16_t{});
    case ElementType::F16:
      return f(Float16{});
    case ElementType::BF16:
      return f(BFloat16{});
    case ElementType::U32:
      return f(uint32_t{});
    case ElementType::I32:
      return f(int32_t{});
    case ElementType::F32:
      return f(float{});
    case ElementType::U64:
      return f(uint64_t{});
    case ElementType::I64:
      return f(int64_t{});
    case ElementType::F64:
      return f(double{});
    case ElementType::Bytes16:
      return f(Quad{});
  }
  std::unreachable();
}

/// The element at `at` as a number; of Quad, whose lessons hold float4, the first of the four.
template <class T>
double number_at(const std::byte* at) {
  using Read = std::conditional_t<std::is_same_v<T, Quad>, float, T>;
  Read value{};
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::is_arithmetic_v<Read>)
    return static_cast<double>(value);
  else
    return to_double(value);
}

}  // namespace lanescope::launch
