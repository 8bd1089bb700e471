// The sum of products that a tensor core makes of floating-point numbers. MODEL: NVIDIA does not document how
// it rounds. Method: the products are exact; they and the number that they are added to are cut off at a
// fixed number of bits below the largest exponent among them and added exactly; the sum is cut off to f32, or
// rounded to nearest for f16. Source: Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor
// cores"; bits and block fitted to an H200, tests/data/probes. Tests: tests/unit/emulator/matrix_test.cpp,
// probe_test.cpp

#pragma once

#include <cmath>
#include <cstdint>
#include <span>

namespace lanescope::emulator {

/// Products that are added at once, and the bits kept below the largest exponent.
struct TensorSum {
  /// Addition of C: as one of the summands, or to their sum with a rounding to nearest.
  enum class Addend : uint8_t { Together, Afterwards };
  int block = 16;
  int bits = 25;
  int fraction_bits = 23;  // that a sum in f32 keeps
  Addend addend = Addend::Together;
};

/// A factor as the unit sees it: value = significand x 2^exponent, the exponent not of the normalized value
/// but of its format, whose smallest it is for subnormals.
struct Factor {
  double value = 0;
  int exponent = 0;
};

/// c plus the products of one block, exactly representable in f64.
inline double add_products(const TensorSum& how, std::span<const Factor> a, std::span<const Factor> b,
                           double c) {
  double plain = c;
  int largest = c == 0 ? -10000 : std::ilogb(c);
  for (size_t n = 0; n < a.size(); ++n) {
    const double product = a[n].value * b[n].value;
    plain += product;
    const int exponent = a[n].exponent + b[n].exponent;
    if (product != 0 && exponent > largest) largest = exponent;
  }
  if (!std::isfinite(plain) || largest == -10000) return plain;
  const int scale = how.bits - largest;
  const auto cut = [&](double value) { return static_cast<int64_t>(std::scalbn(value, scale)); };
  int64_t sum = cut(c);
  for (size_t n = 0; n < a.size(); ++n) sum += cut(a[n].value * b[n].value);
  return std::scalbn(static_cast<double>(sum), -scale);
}

/// Rounds to f32 towards zero.
inline float cut_to_float(double value) {
  const float nearest = static_cast<float>(value);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(value) && std::isfinite(value))
    return std::isinf(nearest) ? nearest : std::nextafter(nearest, 0.0f);
  return nearest;
}

/// The sum as an f32 holds it, cut off to the bits that the unit keeps.
inline float kept_sum(const TensorSum& how, double sum) {
  const float whole = cut_to_float(sum);
  if (!std::isfinite(whole)) return whole;
  const uint32_t lost = (1u << (23 - how.fraction_bits)) - 1;
  return __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, whole) & ~lost);
}

}  // namespace lanescope::emulator
