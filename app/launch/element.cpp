// Sizes and names of element types; rounding into the 16-bit floating-point formats, and back.

#include "launch/element.h"

#include <bit>
#include <cmath>
#include <limits>

namespace lanescope::launch {
namespace {

/// Rounds `value` into a format of 16 bits: one sign bit, `exponent_bits`, and the rest mantissa.
template <int exponent_bits>
uint16_t round_to_16_bits(double value) {
  constexpr int kMantissaBits = 15 - exponent_bits;
  constexpr int kBias = (1 << (exponent_bits - 1)) - 1;
  constexpr uint16_t kInfinity = static_cast<uint16_t>(((1 << exponent_bits) - 1) << kMantissaBits);
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | kInfinity | (1 << (kMantissaBits - 1)));
  const double magnitude = std::abs(value);
  if (std::isinf(magnitude)) return sign | kInfinity;
  if (magnitude == 0) return sign;
  // Below the smallest normal exponent the spacing stays that of the subnormals.
  const int exponent = std::max(std::ilogb(magnitude), 1 - kBias);
  // `units` counts steps of the target's spacing; both scalings are exact, so it is rounded only once.
  const double units = std::nearbyint(std::ldexp(magnitude, kMantissaBits - exponent));
  // The exponent field of a normal number counts from 1, and its leading mantissa bit adds the last 1; a
  // carry out of the mantissa is added to the exponent, as it should be.
  const uint64_t bits =
      (static_cast<uint64_t>(exponent + kBias - 1) << kMantissaBits) + static_cast<uint64_t>(units);
  return bits >= kInfinity ? static_cast<uint16_t>(sign | kInfinity) : static_cast<uint16_t>(sign | bits);
}

}  // namespace

uint32_t size_bytes(ElementType type) {
  return with_type(type, [](auto example) { return static_cast<uint32_t>(sizeof(example)); });
}

std::string_view name_of(ElementType type) {
  switch (type) {
    case ElementType::U8:
      return "u8";
    case ElementType::I8:
      return "i8";
    case ElementType::U16:
      return "u16";
    case ElementType::I16:
      return "i16";
    case ElementType::F16:
      return "f16";
    case ElementType::BF16:
      return "bf16";
    case ElementType::U32:
      return "u32";
    case ElementType::I32:
      return "i32";
    case ElementType::F32:
      return "f32";
    case ElementType::U64:
      return "u64";
    case ElementType::I64:
      return "i64";
    case ElementType::F64:
      return "f64";
    case ElementType::Bytes16:
      return "bytes16";
  }
  return "unknown";
}

bool is_float(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16 || type == ElementType::F32 ||
         type == ElementType::F64;
}

std::optional<ElementType> type_named(std::string_view name) {
  for (auto n = static_cast<uint8_t>(ElementType::U8); n <= static_cast<uint8_t>(ElementType::Bytes16); ++n)
    if (const auto type = static_cast<ElementType>(n); name_of(type) == name) return type;
  return {};
}

Float16 to_float16(double value) { return {round_to_16_bits<5>(value)}; }

BFloat16 to_bfloat16(double value) { return {round_to_16_bits<8>(value)}; }

double to_double(Float16 value) {
  const int exponent = value.bits >> 10 & 31;
  const int mantissa = value.bits & 1023;
  double magnitude = 0;
  if (exponent == 31) {
    magnitude =
        mantissa != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    magnitude = std::ldexp(mantissa, -24);
  } else {
    magnitude = std::ldexp(1024 + mantissa, exponent - 25);
  }
  return value.bits & 0x8000 ? -magnitude : magnitude;
}

double to_double(BFloat16 value) { return std::bit_cast<float>(uint32_t{value.bits} << 16); }

}  // namespace lanescope::launch
