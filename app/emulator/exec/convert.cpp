// Conversions. Source: PTX ISA, "Data Movement and Conversion: cvt": floating point to integer rounds as
// the modifier says, saturates, and makes NaN zero; integer to integer truncates unless .sat. A register may
// be wider than the type: it is read from its low bits, and filled with zeros or the sign. Tests:
// tests/unit/emulator/convert_test.cpp

#include "emulator/exec/executor.h"
#include "emulator/exec/half_format.h"

#include <cmath>
#include <limits>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

/// Bits above the type's own, to be shifted out and back in as zeros or signs.
constexpr int spare_bits(ptx::Type type) { return 64 - 8 * ptx::size_bytes(type); }
constexpr bool is_signed(ptx::Type type) { return ptx::class_of(type) == ptx::TypeClass::Signed; }

template <bool with_sign>
[[gnu::always_inline]] constexpr uint64_t extended(uint64_t bits, int spare) {
  if constexpr (with_sign) return static_cast<uint64_t>(static_cast<int64_t>(bits << spare) >> spare);
  return bits << spare >> spare;
}

/// Integer to integer through 64 bits. To and From are cells.
template <class To, class From, bool to_signed, bool from_signed, bool saturate>
struct IntegerToInteger {
  explicit IntegerToInteger(const Step& step)
      : to_spare(spare_bits(step.type)), from_spare(spare_bits(step.second_type)) {
    const int to_bits = 64 - to_spare;
    highest = ~uint64_t{0} >> (to_spare + (to_signed ? 1 : 0));
    lowest = to_signed ? uint64_t{1} << (to_bits - 1) : 0;
    if (to_signed) lowest = extended<true>(lowest, to_spare);
  }
  [[gnu::always_inline]] constexpr To operator()(From a) const {
    uint64_t value = extended<from_signed>(a, from_spare);
    if constexpr (saturate) {
      if constexpr (from_signed) {
        const auto number = static_cast<int64_t>(value);
        if constexpr (to_signed) {
          value = number < static_cast<int64_t>(lowest)    ? lowest
                  : number > static_cast<int64_t>(highest) ? highest
                                                           : value;
        } else {
          value = number < 0 ? 0 : value > highest ? highest : value;
        }
      } else {
        value = value > highest ? highest : value;
      }
    }
    return static_cast<To>(extended<to_signed>(value, to_spare));
  }
  int to_spare;
  int from_spare;
  uint64_t lowest = 0;
  uint64_t highest = 0;
};

/// Widening 32 bits to 64 is in every address: without the detour.
template <class To>
struct Widen {
  static constexpr FormRule rule = FormRule::Widened;
  template <class T>
  constexpr To operator()(T a) const {
    return a;
  }
};

/// 64 bits to 32.
struct Truncate {
  static constexpr FormRule rule = FormRule::Linear;
  constexpr uint32_t operator()(uint64_t a) const { return static_cast<uint32_t>(a); }
};

template <class T>
[[gnu::always_inline]] inline T rounded(T value, ptx::IntegerRounding rounding) {
  switch (rounding) {
    case ptx::IntegerRounding::NearestEven:
      return sizeof(T) == 4 ? static_cast<T>(__builtin_rintf(static_cast<float>(value)))
                            : static_cast<T>(__builtin_rint(static_cast<double>(value)));
    case ptx::IntegerRounding::Zero:
      return sizeof(T) == 4 ? static_cast<T>(__builtin_truncf(static_cast<float>(value)))
                            : static_cast<T>(__builtin_trunc(static_cast<double>(value)));
    case ptx::IntegerRounding::Down:
      return sizeof(T) == 4 ? static_cast<T>(__builtin_floorf(static_cast<float>(value)))
                            : static_cast<T>(__builtin_floor(static_cast<double>(value)));
    case ptx::IntegerRounding::Up:
      return sizeof(T) == 4 ? static_cast<T>(__builtin_ceilf(static_cast<float>(value)))
                            : static_cast<T>(__builtin_ceil(static_cast<double>(value)));
    case ptx::IntegerRounding::None:
      break;
  }
  return value;
}

/// Floating point to integer: round, clamp to the type. NaN becomes zero where f32 goes to 32 bits or less,
/// else the highest bit alone (measured: H200; the manual says so for 64 bits).
template <class To, class From, ptx::IntegerRounding rounding>
struct FloatToInteger {
  explicit FloatToInteger(const Step& step) : flush(step.flush_to_zero) {
    const int bits = 8 * ptx::size_bytes(step.type);
    const bool to_signed = is_signed(step.type);
    lowest = to_signed ? -std::ldexp(1.0, bits - 1) : 0.0;
    limit = std::ldexp(1.0, to_signed ? bits - 1 : bits);  // the first that is too large
    highest = ~uint64_t{0} >> (64 - bits + (to_signed ? 1 : 0));
    if (sizeof(From) == 8 || bits == 64)
      of_nan = to_signed ? ~uint64_t{0} << (bits - 1) : uint64_t{1} << (bits - 1);
  }
  [[gnu::always_inline]] To operator()(From a) const {
    if (flush && __builtin_fabs(static_cast<double>(a)) < 0x1p-126) a = 0;
    const double value = static_cast<double>(rounded(a, rounding));
    if (!(value == value)) return static_cast<To>(of_nan);
    if (value >= limit) return static_cast<To>(highest);
    if (value <= lowest)
      return static_cast<To>(lowest < 0 ? static_cast<uint64_t>(static_cast<int64_t>(lowest)) : 0);
    // Above 2^63 only an unsigned conversion gets here.
    const uint64_t integer =
        value >= 0x1p63 ? static_cast<uint64_t>(static_cast<int64_t>(value - 0x1p63)) + (uint64_t{1} << 63)
                        : static_cast<uint64_t>(static_cast<int64_t>(value));
    return static_cast<To>(integer);
  }
  double lowest;
  double limit;
  uint64_t highest;
  uint64_t of_nan = 0;
  bool flush;
};

/// Integer to floating point, to nearest even. A 16-bit type is extended first.
template <class To, class From, bool from_signed>
struct IntegerToFloat {
  explicit IntegerToFloat(const Step& step) : spare(spare_bits(step.second_type)) {}
  [[gnu::always_inline]] constexpr To operator()(From a) const {
    const uint64_t value = extended<from_signed>(a, spare);
    if constexpr (from_signed) return static_cast<To>(static_cast<int64_t>(value));
    return static_cast<To>(value);
  }
  int spare;
};
template <class To>
struct NumberToFloat {  // 32 bits, without the detour
  template <class T>
  constexpr To operator()(T a) const {
    return static_cast<To>(a);
  }
};

template <class T>
[[gnu::always_inline]] constexpr T canonical(T value) {
  if constexpr (sizeof(T) == 4)
    return __builtin_isnan(value) ? __builtin_bit_cast(float, 0x7fffffffu) : value;
  return value;
}

/// Between floating-point formats, and to an integral value in one.
template <class To, class From, ptx::IntegerRounding rounding>
struct FloatToFloat {
  explicit FloatToFloat(const Step& step) : flush(step.flush_to_zero), saturate(step.saturate) {}
  [[gnu::always_inline]] To operator()(From a) const {
    if (flush && sizeof(From) == 4 && __builtin_fabs(static_cast<double>(a)) < 0x1p-126)
      a = static_cast<From>(__builtin_copysign(0.0, static_cast<double>(a)));
    To value = static_cast<To>(rounded(a, rounding));
    // A NaN of an f64 becomes quiet and keeps its payload.
    value = sizeof(From) == 8 ? (__builtin_isnan(value) ? value + value : value) : canonical(value);
    if (flush && sizeof(To) == 8 && __builtin_isnan(value))
      value = static_cast<To>(canonical(0.0f * __builtin_inff()));
    if (flush && sizeof(To) == 4 && __builtin_fabs(static_cast<double>(value)) < 0x1p-126)
      value = static_cast<To>(__builtin_copysign(0.0, static_cast<double>(value)));
    if (saturate) value = value > 0 ? (value > 1 ? To{1} : value) : To{0};
    return value;
  }
  bool flush;
  bool saturate;
};

template <class Format>
struct FromSmall {
  constexpr float operator()(uint16_t a) const {
    // The bits of a bf16 are those of an f32, also for a NaN.
    return std::is_same_v<Format, Bfloat> ? widen(Format{a}) : canonical(widen(Format{a}));
  }
};
struct ToHalf {
  constexpr uint16_t operator()(float a) const { return to_half(a).bits; }
};
struct ToBfloat {
  constexpr uint16_t operator()(float a) const { return to_bfloat(a).bits; }
};
/// cvt.f16x2.f32 d, a, b: a goes to the upper half.
struct ToHalves {
  constexpr uint32_t operator()(float a, float b) const {
    return uint32_t{to_half(a).bits} << 16 | to_half(b).bits;
  }
};
struct ToBfloats {
  constexpr uint32_t operator()(float a, float b) const {
    return uint32_t{to_bfloat(a).bits} << 16 | to_bfloat(b).bits;
  }
};

template <class To, class From, bool to_signed, bool from_signed>
Handler integer_to_integer(bool saturate) {
  return saturate ? map<IntegerToInteger<To, From, to_signed, from_signed, true>, To, From>
                  : map<IntegerToInteger<To, From, to_signed, from_signed, false>, To, From>;
}
template <class To, class From>
Handler integer_to_integer(const ptx::Step& step, bool saturate) {
  if (is_signed(step.type))
    return is_signed(step.second_type) ? integer_to_integer<To, From, true, true>(saturate)
                                       : integer_to_integer<To, From, true, false>(saturate);
  return is_signed(step.second_type) ? integer_to_integer<To, From, false, true>(saturate)
                                     : integer_to_integer<To, From, false, false>(saturate);
}

bool is_double(const ptx::Program& program, ptx::Slot slot) {
  return slot != ptx::kNoSlot && program.slots[slot].width == ptx::SlotWidth::Double;
}

Handler integer_to_integer(const ptx::Program& program, const ptx::Step& step, bool saturate) {
  const bool to_double = is_double(program, step.destination[0]);
  const bool from_double = is_double(program, step.source[0]);
  if (!saturate && to_double && !from_double && ptx::size_bytes(step.type) == 8 &&
      ptx::size_bytes(step.second_type) == 4)
    return is_signed(step.second_type) ? map<Widen<int64_t>, int64_t, int32_t>
                                       : map<Widen<uint64_t>, uint64_t, uint32_t>;
  if (!saturate && from_double && !to_double && ptx::size_bytes(step.type) == 4 &&
      ptx::size_bytes(step.second_type) == 8)
    return map<Truncate, uint32_t, uint64_t>;
  if (to_double)
    return from_double ? integer_to_integer<uint64_t, uint64_t>(step, saturate)
                       : integer_to_integer<uint64_t, uint32_t>(step, saturate);
  return from_double ? integer_to_integer<uint32_t, uint64_t>(step, saturate)
                     : integer_to_integer<uint32_t, uint32_t>(step, saturate);
}

template <class To, class From>
Handler float_to_integer(ptx::IntegerRounding rounding) {
  using enum ptx::IntegerRounding;
  switch (rounding) {
    case NearestEven:
      return map<FloatToInteger<To, From, NearestEven>, To, From>;
    case Zero:
      return map<FloatToInteger<To, From, Zero>, To, From>;
    case Down:
      return map<FloatToInteger<To, From, Down>, To, From>;
    case Up:
      return map<FloatToInteger<To, From, Up>, To, From>;
    case None:
      break;
  }
  return nullptr;
}

Handler float_to_integer(const ptx::Program& program, const ptx::Step& step, ptx::IntegerRounding rounding) {
  const bool wide = is_double(program, step.destination[0]);
  if (step.second_type == ptx::Type::f32)
    return wide ? float_to_integer<uint64_t, float>(rounding) : float_to_integer<uint32_t, float>(rounding);
  if (step.second_type == ptx::Type::f64)
    return wide ? float_to_integer<uint64_t, double>(rounding) : float_to_integer<uint32_t, double>(rounding);
  return nullptr;
}

template <class To>
Handler integer_to_float(const ptx::Program& program, const ptx::Step& step) {
  const bool from_double = is_double(program, step.source[0]);
  const bool from_signed = is_signed(step.second_type);
  if (ptx::size_bytes(step.second_type) == 4 && !from_double)
    return from_signed ? map<NumberToFloat<To>, To, int32_t> : map<NumberToFloat<To>, To, uint32_t>;
  if (from_double)
    return from_signed ? map<IntegerToFloat<To, uint64_t, true>, To, uint64_t>
                       : map<IntegerToFloat<To, uint64_t, false>, To, uint64_t>;
  return from_signed ? map<IntegerToFloat<To, uint32_t, true>, To, uint32_t>
                     : map<IntegerToFloat<To, uint32_t, false>, To, uint32_t>;
}

template <class To, class From>
Handler float_to_float(ptx::IntegerRounding rounding) {
  using enum ptx::IntegerRounding;
  switch (rounding) {
    case None:
      return map<FloatToFloat<To, From, None>, To, From>;
    case NearestEven:
      return map<FloatToFloat<To, From, NearestEven>, To, From>;
    case Zero:
      return map<FloatToFloat<To, From, Zero>, To, From>;
    case Down:
      return map<FloatToFloat<To, From, Down>, To, From>;
    case Up:
      return map<FloatToFloat<To, From, Up>, To, From>;
  }
  return nullptr;
}

Handler float_to_float(const ptx::Step& step, const ptx::Modifiers& modifiers) {
  const ptx::IntegerRounding rounding = modifiers.integer_rounding;
  using enum ptx::Type;
  if (step.type == f32 && step.second_type == f32) return float_to_float<float, float>(rounding);
  if (step.type == f64 && step.second_type == f64) return float_to_float<double, double>(rounding);
  if (rounding != ptx::IntegerRounding::None) return nullptr;
  if (step.type == f64 && step.second_type == f32) return float_to_float<double, float>(rounding);
  if (step.type == f32 && step.second_type == f64) return float_to_float<float, double>(rounding);
  if (modifiers.flush_to_zero || modifiers.saturate) return nullptr;
  if (step.type == f32 && step.second_type == f16) return map<FromSmall<Half>, float, uint16_t>;
  if (step.type == f32 && step.second_type == bf16) return map<FromSmall<Bfloat>, float, uint16_t>;
  if (step.second_type != f32) return nullptr;
  if (step.type == f16) return map<ToHalf, uint16_t, float>;
  if (step.type == bf16) return map<ToBfloat, uint16_t, float>;
  if (step.type == f16x2) return map<ToHalves, uint32_t, float, float>;
  if (step.type == bf16x2) return map<ToBfloats, uint32_t, float, float>;
  return nullptr;
}

}  // namespace

Handler convert_handler(const ptx::Program& program, const ptx::Step& step) {
  if (step.op != ptx::Op::cvt) return nullptr;
  const ptx::Modifiers& modifiers = program.modifiers[step.modifiers];
  const bool nearest =
      modifiers.rounding == ptx::Rounding::None || modifiers.rounding == ptx::Rounding::NearestEven;
  const bool to_float = ptx::class_of(step.type) == ptx::TypeClass::Float;
  const bool from_float = ptx::class_of(step.second_type) == ptx::TypeClass::Float;
  if (modifiers.relu || modifiers.saturate_finite || !nearest) return nullptr;
  if (to_float && from_float) return float_to_float(step, modifiers);
  if (from_float) return float_to_integer(program, step, modifiers.integer_rounding);
  if (!to_float) return integer_to_integer(program, step, modifiers.saturate);
  if (modifiers.saturate) return nullptr;
  if (step.type == ptx::Type::f32) return integer_to_float<float>(program, step);
  if (step.type == ptx::Type::f64) return integer_to_float<double>(program, step);
  return nullptr;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
