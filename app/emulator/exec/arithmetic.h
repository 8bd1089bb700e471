// The arithmetic of one lane's values that several families of instructions share: each operation once, on
// integers and on floating-point numbers. What a family adds to it (rounding, saturation, formats) is in
// the family's file. Compiled once per instruction set, like lanes.h. Tests: tests/unit/emulator/*_test.cpp

#pragma once

#include "emulator/exec/executor.h"
#include "emulator/exec/rounding.h"

#include <type_traits>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// Integers wrap around, here and below.
struct Add {
  static constexpr FormRule rule = FormRule::Linear;
  template <class T>
  constexpr T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, double>)
      return in_order(a + b, a, b);
    else if constexpr (std::is_floating_point_v<T>)
      return a + b;
    else
      return static_cast<T>(Modular<T>(a) + Modular<T>(b));
  }
};
struct Subtract {
  static constexpr FormRule rule = FormRule::Linear;
  template <class T>
  constexpr T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>)
      return a - b;
    else
      return static_cast<T>(Modular<T>(a) - Modular<T>(b));
  }
};
struct Multiply {
  static constexpr FormRule rule = FormRule::Product;
  template <class T>
  constexpr T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, double>)
      return in_order(a * b, a, b);
    else if constexpr (std::is_floating_point_v<T>)
      return a * b;
    else
      return static_cast<T>(Modular<T>(a) * Modular<T>(b));
  }
};

/// Integer division by zero is undefined in PTX; all ones is what an H200 gives.
struct Divide {
  template <class T>
  constexpr T operator()(T a, T b) const {
    if constexpr (!std::is_floating_point_v<T>) {
      if (b == 0) return static_cast<T>(~T{0});
      if constexpr (std::is_signed_v<T>)
        if (b == -1) return Subtract{}(T{0}, a);
    }
    return static_cast<T>(a / b);
  }
};

/// Absolute value. Of a floating-point number, also of a NaN, only the sign bit changes.
struct Absolute {
  template <class T>
  constexpr T operator()(T a) const {
    if constexpr (std::is_floating_point_v<T>)
      return from_cell<T>(to_cell(a) & (static_cast<Cell<T>>(~Cell<T>{0}) >> 1));
    else
      return a < 0 ? Subtract{}(T{0}, a) : a;
  }
};
struct Negate {
  static constexpr FormRule rule = FormRule::Linear;
  template <class T>
  constexpr T operator()(T a) const {
    if constexpr (std::is_floating_point_v<T>)
      return from_cell<T>(to_cell(a) ^ ~(static_cast<Cell<T>>(~Cell<T>{0}) >> 1));
    else
      return Subtract{}(T{0}, a);
  }
};

/// Minimum and maximum: the first of equal values. For floating-point numbers see Extremum.
struct Minimum {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
/// min, max of floating-point numbers: -0 is less than +0; a number wins against a NaN, or loses with .NaN.
template <bool maximum, bool nan_wins>
struct Extremum {
  template <class T>
  constexpr T operator()(T a, T b) const {
    const bool a_is_nan = __builtin_isnan(a);
    const bool b_is_nan = __builtin_isnan(b);
    const bool sign_a = to_cell(a) >> (8 * sizeof(T) - 1) & 1;
    const bool a_first = a < b || (a == b && sign_a);
    const T chosen = a_first != maximum ? a : b;
    const T with_nan = nan_wins ? (a_is_nan ? a : b) : (a_is_nan ? b : a);
    return a_is_nan || b_is_nan ? with_nan : chosen;
  }
};
/// .xorsign.abs: F of the magnitudes, with the sign of the product.
template <class F>
struct OfMagnitudes {
  template <class T>
  constexpr T operator()(T a, T b) const {
    const T chosen = F{}(Absolute{}(a), Absolute{}(b));
    const bool negative = (to_cell(a) ^ to_cell(b)) >> (8 * sizeof(T) - 1) & 1;
    return negative ? Negate{}(chosen) : chosen;
  }
};

/// F as a call for each lane: for rare instructions, whose loop then compiles quickly.
template <class F>
struct Called : F {
  using F::F;
  template <class... S>
  [[gnu::noinline]] auto operator()(S... operands) const {
    return F::operator()(operands...);
  }
};

struct And {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

struct Exponential2 {
  float operator()(float a) const { return __builtin_exp2f(a); }
};
/// Rounded correctly, by arithmetic alone: versions of the C library differ in the last bit of tanhf. Source:
/// the Pade approximant of Lambert's continued fraction, exact to a double for a 32nd of the argument; then
/// tanh 2t = 2 tanh t / (1 + tanh^2 t), five times, on numerator and denominator.
struct HyperbolicTangent {
  float operator()(float a) const {
    constexpr double kOne = 16;  // from 9.02 on, the result is 1
    constexpr double kScale = 135135;
    const double bounded = a > kOne ? kOne : a < -kOne ? -kOne : static_cast<double>(a);
    const double t = bounded / 32;
    const double square = t * t;
    double numerator = t * (kScale + square * (17325 + square * (378 + square))) / kScale;
    double denominator = (kScale + square * (62370 + square * (3150 + square * 28))) / kScale;
    for (int doubling = 0; doubling < 5; ++doubling) {
      const double product = numerator * denominator;
      denominator = numerator * numerator + denominator * denominator;
      numerator = 2 * product;
    }
    return static_cast<float>(numerator / denominator);
  }
};

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
