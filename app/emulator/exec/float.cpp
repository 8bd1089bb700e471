// Floating-point arithmetic of f32 and f64, round to nearest even. Source: PTX ISA, "Floating-Point
// Instructions": an f32 result that is not a number is 0x7fffffff; .ftz makes subnormal inputs and results
// zero; .sat clamps to [0, 1] and makes NaN zero. The approximations (.approx, .full) are computed to full
// precision, so they differ from a GPU's in the last bits. Tests: tests/unit/emulator/float_test.cpp

#include "emulator/exec/arithmetic.h"
#include "emulator/exec/executor.h"
#include "emulator/exec/rounding.h"

#include <cmath>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

template <class T>
[[gnu::always_inline]] constexpr T canonical(T value) {
  if constexpr (sizeof(T) == 4)
    return __builtin_isnan(value) ? __builtin_bit_cast(float, 0x7fffffffu) : value;
  return value;
}

/// A subnormal becomes a zero of its sign.
template <class T>
[[gnu::always_inline]] constexpr T flushed(T value) {
  if constexpr (sizeof(T) == 4) {
    constexpr uint32_t kExponent = 0x7f800000;
    const uint32_t bits = __builtin_bit_cast(uint32_t, value);
    return __builtin_bit_cast(float, bits& kExponent ? bits : bits & 0x80000000u);
  }
  return value;
}

/// .sat: NaN and negative give +0.
template <class T>
[[gnu::always_inline]] constexpr T clamped(T value) {
  const T above = value > 0 ? value : T{0};
  return above > 1 ? T{1} : above;
}

/// F with the modifiers of an instruction around it.
template <class F, bool flush, bool saturate>
struct Rounded {
  template <class... T>
  [[gnu::always_inline]] constexpr auto operator()(T... a) const {
    auto result = flush ? F{}(flushed(a)...) : F{}(a...);
    result = canonical(result);
    if (flush) result = flushed(result);
    return saturate ? clamped(result) : result;
  }
};

template <ptx::FusedSign sign>
struct FusedMultiplyAdd {
  template <class T>
  [[gnu::always_inline]] T operator()(T a, T b, T c) const {
    const T first = sign == ptx::FusedSign::NegativeProduct ? -a : a;
    const T addend = sign == ptx::FusedSign::NegativeAddend ? -c : c;
    if constexpr (sizeof(T) == 4)
      return __builtin_fmaf(first, b, addend);
    else
      return fused_multiply_add(first, b, addend);
  }
};
/// div.approx is a times the reciprocal of b, which is zero when it is too small for f32 to be normal.
struct DivideApproximately {
  float operator()(float a, float b) const {
    const bool vanishes = __builtin_fabsf(b) > 0x1p126f && __builtin_fabsf(b) < __builtin_inff();
    return vanishes ? a * __builtin_copysignf(0.0f, b) : a / b;
  }
};
struct Reciprocal {
  template <class T>
  constexpr T operator()(T a) const {
    return T{1} / a;
  }
};
struct SquareRoot {
  float operator()(float a) const { return __builtin_sqrtf(a); }
  double operator()(double a) const { return __builtin_sqrt(a); }
};
/// rcp.approx.ftz.f64, rsqrt.approx.ftz.f64: the lower words of operand and result count as zero.
template <class F>
struct OfUpperWord {
  double operator()(double a) const { return upper(F{}(upper(a))); }
  static double upper(double value) {
    const uint64_t bits = __builtin_bit_cast(uint64_t, value) & 0xffffffff00000000u;
    if ((bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u)
      return __builtin_bit_cast(double, 0x7fffffff00000000u);
    const bool subnormal = (bits & 0x7ff0000000000000u) == 0;
    return __builtin_bit_cast(double, subnormal ? bits & 0x8000000000000000u : bits);
  }
};
struct ReciprocalSquareRoot {
  float operator()(float a) const { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(a))); }
  double operator()(double a) const { return 1.0 / __builtin_sqrt(a); }
};
/// The angle in turns, with the precision of f32, as the hardware has it: of a large angle little is left.
inline double angle_of(float a) {
  constexpr double kTurn = 6.283185307179586;
  constexpr float kTurnsPerRadian = 0.15915494f;
  const double exact = static_cast<double>(a) * static_cast<double>(kTurnsPerRadian);
  const float nearest = static_cast<float>(exact);
  const bool away = __builtin_fabs(static_cast<double>(nearest)) > __builtin_fabs(exact);
  const auto bits = __builtin_bit_cast(uint32_t, nearest) - uint32_t{away};
  const float turns_in_float = __builtin_bit_cast(float, bits);
  if (__builtin_fabsf(turns_in_float) < 0x1p-126f) return __builtin_copysign(0.0, static_cast<double>(a));
  const auto turns = static_cast<double>(turns_in_float);
  return (turns - __builtin_trunc(turns)) * kTurn;
}
struct Sine {
  float operator()(float a) const { return static_cast<float>(__builtin_sin(angle_of(a))); }
};
struct Cosine {
  float operator()(float a) const { return static_cast<float>(__builtin_cos(angle_of(a))); }
};
struct Logarithm2 {
  float operator()(float a) const { return __builtin_log2f(a); }
};

/// copysign d, a, b: b with the sign of a.
struct CopySign {
  template <class T>
  constexpr T operator()(T a, T b) const {
    constexpr Cell<T> kMagnitude = static_cast<Cell<T>>(~Cell<T>{0}) >> 1;
    return from_cell<T>((to_cell(b) & kMagnitude) | (to_cell(a) & ~kMagnitude));
  }
};

/// Operations without .sat; .ftz changes nothing of an f64.
template <class F, int arity>
Handler unsaturated(ptx::Type type, const ptx::Modifiers& modifiers) {
  if (type == ptx::Type::f64) return same_type<Rounded<F, false, false>, double, arity>();
  return modifiers.flush_to_zero ? same_type<Rounded<F, true, false>, float, arity>()
                                 : same_type<Rounded<F, false, false>, float, arity>();
}

template <class F, int arity>
Handler rounded(ptx::Type type, const ptx::Modifiers& modifiers) {
  if (!modifiers.saturate) return unsaturated<F, arity>(type, modifiers);
  if (type == ptx::Type::f64) return same_type<Rounded<F, false, true>, double, arity>();
  return modifiers.flush_to_zero ? same_type<Rounded<F, true, true>, float, arity>()
                                 : same_type<Rounded<F, false, true>, float, arity>();
}

Handler fused(ptx::Type type, const ptx::Modifiers& modifiers) {
  if (modifiers.relu) return nullptr;
  switch (modifiers.fused_sign) {
    case ptx::FusedSign::Plain:
      return rounded<FusedMultiplyAdd<ptx::FusedSign::Plain>, 3>(type, modifiers);
    case ptx::FusedSign::NegativeProduct:
      return rounded<FusedMultiplyAdd<ptx::FusedSign::NegativeProduct>, 3>(type, modifiers);
    case ptx::FusedSign::NegativeAddend:
      return rounded<FusedMultiplyAdd<ptx::FusedSign::NegativeAddend>, 3>(type, modifiers);
  }
  return nullptr;
}

/// Approximations of f32 exist with and without .ftz and never with .sat.
template <class F>
Handler approximated(const ptx::Modifiers& modifiers) {
  return modifiers.flush_to_zero ? same_type<Rounded<F, true, false>, float, 1>()
                                 : same_type<Rounded<F, false, false>, float, 1>();
}

template <bool maximum>
Handler extremum(ptx::Type type, const ptx::Modifiers& modifiers) {
  if (modifiers.relu) return nullptr;
  if (modifiers.magnitude_sign)
    return modifiers.nan ? unsaturated<Called<OfMagnitudes<Extremum<maximum, true>>>, 2>(type, modifiers)
                         : unsaturated<Called<OfMagnitudes<Extremum<maximum, false>>>, 2>(type, modifiers);
  return modifiers.nan ? unsaturated<Extremum<maximum, true>, 2>(type, modifiers)
                       : unsaturated<Extremum<maximum, false>, 2>(type, modifiers);
}

enum class NumberKind { Finite, Infinite, Number, NotANumber, Normal, Subnormal };

template <class T, NumberKind kind>
void test_property(Warps& warps, const Step& step) {
  const bool whole = may_write_all(warps, step);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const Cell<T>* a = cells<const Cell<T>>(warps, step.source[0], n);
    uint32_t truths = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      const int category = std::fpclassify(from_cell<T>(a[lane]));
      bool truth = false;
      if constexpr (kind == NumberKind::Finite) truth = category != FP_INFINITE && category != FP_NAN;
      if constexpr (kind == NumberKind::Infinite) truth = category == FP_INFINITE;
      if constexpr (kind == NumberKind::Number) truth = category != FP_NAN;
      if constexpr (kind == NumberKind::NotANumber) truth = category == FP_NAN;
      if constexpr (kind == NumberKind::Normal) truth = category == FP_NORMAL || category == FP_ZERO;
      if constexpr (kind == NumberKind::Subnormal) truth = category == FP_SUBNORMAL;
      truths |= uint32_t{truth} << lane;
    }
    write_predicate(*cells<uint32_t>(warps, step.destination[0], n), mask, whole, truths);
  });
}

template <NumberKind kind>
Handler tested(ptx::Type type) {
  return type == ptx::Type::f64 ? test_property<double, kind> : test_property<float, kind>;
}

}  // namespace

Handler float_handler(const ptx::Program& program, const ptx::Step& step) {
  const ptx::Modifiers& modifiers = program.modifiers[step.modifiers];
  const ptx::Type type = step.type;
  if (type != ptx::Type::f32 && type != ptx::Type::f64) return nullptr;
  const bool nearest =
      modifiers.rounding == ptx::Rounding::None || modifiers.rounding == ptx::Rounding::NearestEven;
  if (!nearest) return nullptr;
  switch (step.op) {
    case ptx::Op::add:
      return rounded<Add, 2>(type, modifiers);
    case ptx::Op::sub:
      return rounded<Subtract, 2>(type, modifiers);
    case ptx::Op::mul:
      return rounded<Multiply, 2>(type, modifiers);
    case ptx::Op::mad:  // with floating-point types the same as fma
    case ptx::Op::fma:
      return fused(type, modifiers);
    case ptx::Op::div:
      if (modifiers.approximate && type == ptx::Type::f32)
        return modifiers.flush_to_zero ? same_type<Rounded<DivideApproximately, true, false>, float, 2>()
                                       : same_type<Rounded<DivideApproximately, false, false>, float, 2>();
      return unsaturated<Divide, 2>(type, modifiers);
    case ptx::Op::rcp:
      if (modifiers.approximate && type == ptx::Type::f64)
        return same_type<OfUpperWord<Reciprocal>, double, 1>();
      return unsaturated<Reciprocal, 1>(type, modifiers);
    case ptx::Op::sqrt:
      return unsaturated<SquareRoot, 1>(type, modifiers);
    case ptx::Op::rsqrt:
      if (modifiers.flush_to_zero && type == ptx::Type::f64)
        return same_type<OfUpperWord<ReciprocalSquareRoot>, double, 1>();
      return unsaturated<ReciprocalSquareRoot, 1>(type, modifiers);
    case ptx::Op::sin:
      return approximated<Sine>(modifiers);
    case ptx::Op::cos:
      return approximated<Cosine>(modifiers);
    case ptx::Op::lg2:
      return approximated<Logarithm2>(modifiers);
    case ptx::Op::ex2:
      return approximated<Exponential2>(modifiers);
    case ptx::Op::tanh:
      return approximated<HyperbolicTangent>(modifiers);
    case ptx::Op::abs:
      return unsaturated<Absolute, 1>(type, modifiers);
    case ptx::Op::neg:
      return unsaturated<Negate, 1>(type, modifiers);
    case ptx::Op::min:
      return extremum<false>(type, modifiers);
    case ptx::Op::max:
      return extremum<true>(type, modifiers);
    case ptx::Op::copysign:
      return by_float<CopySign, 2>(type);
    case ptx::Op::testp_finite:
      return tested<NumberKind::Finite>(type);
    case ptx::Op::testp_infinite:
      return tested<NumberKind::Infinite>(type);
    case ptx::Op::testp_number:
      return tested<NumberKind::Number>(type);
    case ptx::Op::testp_notanumber:
      return tested<NumberKind::NotANumber>(type);
    case ptx::Op::testp_normal:
      return tested<NumberKind::Normal>(type);
    case ptx::Op::testp_subnormal:
      return tested<NumberKind::Subnormal>(type);
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
