// Integer arithmetic. Source: PTX ISA, "Integer Arithmetic Instructions", "Extended-Precision Arithmetic
// Instructions". Tests: tests/unit/emulator/integer_test.cpp

#include "emulator/exec/arithmetic.h"
#include "emulator/exec/executor.h"

#include <limits>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

struct AddSaturated {  // .sat exists for s32 only
  constexpr int32_t operator()(int32_t a, int32_t b) const {
    const int64_t sum = int64_t{a} + b;
    return static_cast<int32_t>(sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum);
  }
};
struct SubtractSaturated {
  constexpr int32_t operator()(int32_t a, int32_t b) const {
    const int64_t difference = int64_t{a} - b;
    return static_cast<int32_t>(difference < INT32_MIN   ? INT32_MIN
                                : difference > INT32_MAX ? INT32_MAX
                                                         : difference);
  }
};

__extension__ using Signed128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

/// The type of a whole product.
template <class T>
struct WidenedType;
template <>
struct WidenedType<uint16_t> {
  using Type = uint32_t;
};
template <>
struct WidenedType<int16_t> {
  using Type = int32_t;
};
template <>
struct WidenedType<uint32_t> {
  using Type = uint64_t;
};
template <>
struct WidenedType<int32_t> {
  using Type = int64_t;
};
template <>
struct WidenedType<uint64_t> {
  using Type = Unsigned128;
};
template <>
struct WidenedType<int64_t> {
  using Type = Signed128;
};
template <class T>
using Widened = WidenedType<T>::Type;

template <class T>
constexpr Widened<T> product(T a, T b) {
  return Widened<T>(static_cast<Widened<T>>(a) * static_cast<Widened<T>>(b));
}

struct MultiplyHigh {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(product(a, b) >> 8 * sizeof(T));
  }
};
struct MultiplyWide {
  static constexpr FormRule rule = FormRule::Widened;
  template <class T>
  constexpr Widened<T> operator()(T a, T b) const {
    return product(a, b);
  }
};
struct MultiplyAddLow {
  static constexpr FormRule rule = FormRule::Product;
  template <class T>
  constexpr T operator()(T a, T b, T c) const {
    return static_cast<T>(Modular<T>(a) * Modular<T>(b) + Modular<T>(c));
  }
};
struct MultiplyAddHigh {
  template <class T>
  constexpr T operator()(T a, T b, T c) const {
    return static_cast<T>(Modular<T>(MultiplyHigh{}(a, b)) + Modular<T>(c));
  }
};
struct MultiplyAddHighSaturated {
  constexpr int32_t operator()(int32_t a, int32_t b, int32_t c) const {
    return AddSaturated{}(MultiplyHigh{}(a, b), c);
  }
};
struct MultiplyAddWide {
  static constexpr FormRule rule = FormRule::Widened;
  template <class T>
  constexpr Widened<T> operator()(T a, T b, Widened<T> c) const {
    return static_cast<Widened<T>>(Modular<Widened<T>>(product(a, b)) + Modular<Widened<T>>(c));
  }
};

template <class T>
constexpr int64_t low_24_bits(T value) {
  if constexpr (std::is_signed_v<T>) {
    return static_cast<int32_t>(static_cast<uint32_t>(value) << 8) >> 8;
  } else {
    return value & 0xffffff;
  }
}
struct Multiply24Low {
  template <class T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(low_24_bits(a) * low_24_bits(b));
  }
};
struct Multiply24High {  // bits 47 to 16 of the 48-bit product
  template <class T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(low_24_bits(a) * low_24_bits(b) >> 16);
  }
};
struct MultiplyAdd24Low {
  template <class T>
  constexpr T operator()(T a, T b, T c) const {
    return Add{}(Multiply24Low{}(a, b), c);
  }
};
struct MultiplyAdd24High {
  template <class T>
  constexpr T operator()(T a, T b, T c) const {
    return Add{}(Multiply24High{}(a, b), c);
  }
};

struct MultiplyAdd24HighSaturated {
  constexpr int32_t operator()(int32_t a, int32_t b, int32_t c) const {
    return AddSaturated{}(Multiply24High{}(a, b), c);
  }
};

/// By zero all ones, as Divide.
struct Remainder {
  template <class T>
  constexpr T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  }
};

/// .relu: what is negative becomes zero.
template <class F>
struct NotNegative {
  template <class T>
  constexpr T operator()(T a, T b) const {
    const T value = F{}(a, b);
    return value < 0 ? T{0} : value;
  }
};
/// F on both 16-bit halves of a register.
template <class F, class T>
struct OnPair {
  constexpr uint32_t operator()(uint32_t a, uint32_t b) const {
    const T low = F{}(static_cast<T>(a), static_cast<T>(b));
    const T high = F{}(static_cast<T>(a >> 16), static_cast<T>(b >> 16));
    return static_cast<uint32_t>(static_cast<uint16_t>(high)) << 16 | static_cast<uint16_t>(low);
  }
};

struct SumOfAbsoluteDifferences {
  template <class T>
  constexpr T operator()(T a, T b, T c) const {
    return Add{}(c, a < b ? Subtract{}(b, a) : Subtract{}(a, b));
  }
};

/// dp4a: four products of bytes, added up. A and B say whose bytes are signed.
template <class A, class B>
struct DotBytes {
  constexpr uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    for (int n = 0; n < 4; ++n)
      c += static_cast<uint32_t>(int32_t{static_cast<A>(a >> 8 * n)} * int32_t{static_cast<B>(b >> 8 * n)});
    return c;
  }
};
/// dp2a: two products of a 16-bit and an 8-bit number, the bytes from the low or the high half of b.
template <class A, class B, int first_byte>
struct DotWords {
  constexpr uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    for (int n = 0; n < 2; ++n)
      c += static_cast<uint32_t>(int32_t{static_cast<A>(a >> 16 * n)} *
                                 int32_t{static_cast<B>(b >> 8 * (first_byte + n))});
    return c;
  }
};

template <class F, class T>
Handler widening_product() {
  return map<F, Widened<T>, T, T>;
}
template <class F, class T>
Handler widening_product_sum() {
  return map<F, Widened<T>, T, T, Widened<T>>;
}

Handler multiply(ptx::Type type, ptx::ProductPart part) {
  switch (part) {
    case ptx::ProductPart::Low:
      return by_size<Multiply, 2>(type);
    case ptx::ProductPart::High:
      return by_integer<MultiplyHigh, 2>(type);
    case ptx::ProductPart::Wide:
      switch (type) {
        case ptx::Type::u16:
          return widening_product<MultiplyWide, uint16_t>();
        case ptx::Type::s16:
          return widening_product<MultiplyWide, int16_t>();
        case ptx::Type::u32:
          return widening_product<MultiplyWide, uint32_t>();
        case ptx::Type::s32:
          return widening_product<MultiplyWide, int32_t>();
        default:
          return nullptr;
      }
    case ptx::ProductPart::None:
      return nullptr;
  }
  return nullptr;
}

Handler multiply_add(ptx::Type type, const ptx::Modifiers& modifiers) {
  switch (modifiers.part) {
    case ptx::ProductPart::Low:
      return by_size<MultiplyAddLow, 3>(type);
    case ptx::ProductPart::High:
      if (modifiers.saturate) return same_type<MultiplyAddHighSaturated, int32_t, 3>();
      return by_integer<MultiplyAddHigh, 3>(type);
    case ptx::ProductPart::Wide:
      switch (type) {
        case ptx::Type::u16:
          return widening_product_sum<MultiplyAddWide, uint16_t>();
        case ptx::Type::s16:
          return widening_product_sum<MultiplyAddWide, int16_t>();
        case ptx::Type::u32:
          return widening_product_sum<MultiplyAddWide, uint32_t>();
        case ptx::Type::s32:
          return widening_product_sum<MultiplyAddWide, int32_t>();
        default:
          return nullptr;
      }
    case ptx::ProductPart::None:
      return nullptr;
  }
  return nullptr;
}

Handler dot_bytes(const ptx::Step& step) {
  const bool a = step.type == ptx::Type::s32;
  const bool b = step.second_type == ptx::Type::s32;
  if (a)
    return b ? same_type<DotBytes<int8_t, int8_t>, uint32_t, 3>()
             : same_type<DotBytes<int8_t, uint8_t>, uint32_t, 3>();
  return b ? same_type<DotBytes<uint8_t, int8_t>, uint32_t, 3>()
           : same_type<DotBytes<uint8_t, uint8_t>, uint32_t, 3>();
}

template <int first_byte>
Handler dot_words(const ptx::Step& step) {
  const bool a = step.type == ptx::Type::s32;
  const bool b = step.second_type == ptx::Type::s32;
  if (a)
    return b ? same_type<DotWords<int16_t, int8_t, first_byte>, uint32_t, 3>()
             : same_type<DotWords<int16_t, uint8_t, first_byte>, uint32_t, 3>();
  return b ? same_type<DotWords<uint16_t, int8_t, first_byte>, uint32_t, 3>()
           : same_type<DotWords<uint16_t, uint8_t, first_byte>, uint32_t, 3>();
}

template <class F>
Handler extremum(ptx::Type type, const ptx::Modifiers& modifiers) {
  if (!modifiers.relu) return by_integer<F, 2>(type);
  return type == ptx::Type::s32 ? same_type<NotNegative<F>, int32_t, 2>() : nullptr;
}

Handler pair_handler(const ptx::Step& step, const ptx::Modifiers& modifiers) {
  const bool is_signed = step.type == ptx::Type::s16x2;
  switch (step.op) {
    case ptx::Op::add:
      return modifiers.saturate ? nullptr : same_type<OnPair<Add, uint16_t>, uint32_t, 2>();
    case ptx::Op::min:
      if (modifiers.relu)
        return is_signed ? same_type<OnPair<NotNegative<Minimum>, int16_t>, uint32_t, 2>() : nullptr;
      return is_signed ? same_type<OnPair<Minimum, int16_t>, uint32_t, 2>()
                       : same_type<OnPair<Minimum, uint16_t>, uint32_t, 2>();
    case ptx::Op::max:
      if (modifiers.relu)
        return is_signed ? same_type<OnPair<NotNegative<Maximum>, int16_t>, uint32_t, 2>() : nullptr;
      return is_signed ? same_type<OnPair<Maximum, int16_t>, uint32_t, 2>()
                       : same_type<OnPair<Maximum, uint16_t>, uint32_t, 2>();
    default:
      return nullptr;
  }
}

}  // namespace

Handler integer_handler(const ptx::Program& program, const ptx::Step& step) {
  const ptx::Modifiers& modifiers = program.modifiers[step.modifiers];
  const ptx::Type type = step.type;
  if (type == ptx::Type::u16x2 || type == ptx::Type::s16x2) return pair_handler(step, modifiers);
  if (ptx::class_of(type) == ptx::TypeClass::Float) return nullptr;
  if (modifiers.carry_out) return nullptr;
  switch (step.op) {
    case ptx::Op::add:
      return modifiers.saturate ? same_type<AddSaturated, int32_t, 2>() : by_size<Add, 2>(type);
    case ptx::Op::sub:
      return modifiers.saturate ? same_type<SubtractSaturated, int32_t, 2>() : by_size<Subtract, 2>(type);
    case ptx::Op::mul:
      return multiply(type, modifiers.part);
    case ptx::Op::mad:
      return multiply_add(type, modifiers);
    case ptx::Op::mul24:
      return modifiers.part == ptx::ProductPart::High ? by_integer<Multiply24High, 2>(type)
                                                      : by_integer<Multiply24Low, 2>(type);
    case ptx::Op::mad24:
      if (modifiers.saturate) return same_type<MultiplyAdd24HighSaturated, int32_t, 3>();
      return modifiers.part == ptx::ProductPart::High ? by_integer<MultiplyAdd24High, 3>(type)
                                                      : by_integer<MultiplyAdd24Low, 3>(type);
    case ptx::Op::div:
      return by_integer<Divide, 2>(type);
    case ptx::Op::rem:
      return by_integer<Remainder, 2>(type);
    case ptx::Op::abs:
      return by_integer<Absolute, 1>(type);
    case ptx::Op::neg:
      return by_integer<Negate, 1>(type);
    case ptx::Op::min:
      return extremum<Minimum>(type, modifiers);
    case ptx::Op::max:
      return extremum<Maximum>(type, modifiers);
    case ptx::Op::sad:
      return by_integer<SumOfAbsoluteDifferences, 3>(type);
    case ptx::Op::dp4a:
      return dot_bytes(step);
    case ptx::Op::dp2a:
      return modifiers.part == ptx::ProductPart::High ? dot_words<2>(step) : dot_words<0>(step);
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
