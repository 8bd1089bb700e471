// Arithmetic and comparison of halves, alone or two in a register. Source: PTX ISA, "Half Precision
// Floating-Point Instructions". Method: sums and products of two halves have so few digits that rounding
// them to f32 first changes nothing; fma goes through f64 and f32 to odd, so that only the last rounding
// counts. A result that is not a number is 0x7fff. Tests: tests/unit/emulator/half_test.cpp

#include "emulator/exec/arithmetic.h"
#include "emulator/exec/executor.h"
#include "emulator/exec/half_format.h"
#include "emulator/exec/rounding.h"

#include <cmath>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

template <class Format>
[[gnu::always_inline]] constexpr Format narrow(float value) {
  if constexpr (std::is_same_v<Format, Half>) {
    return to_half(value);
  } else {
    return to_bfloat(value);
  }
}

template <ptx::FusedSign sign>
struct MultiplyAdd {
  [[gnu::always_inline]] float operator()(float a, float b, float c) const {
    const float first = sign == ptx::FusedSign::NegativeProduct ? -a : a;
    const float addend = sign == ptx::FusedSign::NegativeAddend ? -c : c;
    return to_odd(
        add_to_odd(static_cast<double>(first) * static_cast<double>(b), static_cast<double>(addend)));
  }
};

/// F on one value of 16 bits, with the instruction's modifiers.
template <class F, class Format>
struct OnHalf {
  explicit OnHalf(const Step& step) : flush(step.flush_to_zero), saturate(step.saturate), relu(step.relu) {}

  template <class... S>
  [[gnu::always_inline]] uint16_t operator()(S... operands) const {
    float value = F{}(widen(flushed(Format{static_cast<uint16_t>(operands)}))...);
    if (saturate) value = value > 0 ? (value > 1 ? 1.0f : value) : 0.0f;
    if (relu) value = value > 0 || is_nan(value) ? value : 0.0f;
    return flushed(narrow<Format>(value)).bits;
  }
  [[gnu::always_inline]] Format flushed(Format value) const {
    constexpr uint32_t kExponent = std::is_same_v<Format, Half> ? 0x7c00 : 0x7f80;
    const bool subnormal = flush && (value.bits & kExponent) == 0;
    return subnormal ? Format{static_cast<uint16_t>(value.bits & 0x8000)} : value;
  }
  bool flush;
  bool saturate;
  bool relu;
};

/// One, which is OnHalf, on both halves of a register.
template <class One>
struct OnPair : One {
  using One::One;
  template <class... S>
  [[gnu::always_inline]] uint32_t operator()(S... operands) const {
    const One& half = *this;
    const uint32_t low = half(static_cast<uint16_t>(operands)...);
    return uint32_t{half(static_cast<uint16_t>(operands >> 16)...)} << 16 | low;
  }
};

template <class OfHalf, class OfBfloat, int arity>
Handler by_format(ptx::Type type) {
  switch (type) {
    case ptx::Type::f16:
      return same_type<OfHalf, uint16_t, arity>();
    case ptx::Type::bf16:
      return same_type<OfBfloat, uint16_t, arity>();
    case ptx::Type::f16x2:
      return same_type<OnPair<OfHalf>, uint32_t, arity>();
    case ptx::Type::bf16x2:
      return same_type<OnPair<OfBfloat>, uint32_t, arity>();
    default:
      return nullptr;
  }
}

template <class F, int arity>
Handler on_halves(ptx::Type type) {
  return by_format<OnHalf<F, Half>, OnHalf<F, Bfloat>, arity>(type);
}
template <class F, int arity>
Handler rarely_on_halves(ptx::Type type) {
  return by_format<Called<OnHalf<F, Half>>, Called<OnHalf<F, Bfloat>>, arity>(type);
}

template <bool maximum>
Handler extremum(ptx::Type type, const ptx::Modifiers& modifiers) {
  if (modifiers.magnitude_sign)
    return modifiers.nan ? rarely_on_halves<OfMagnitudes<Extremum<maximum, true>>, 2>(type)
                         : rarely_on_halves<OfMagnitudes<Extremum<maximum, false>>, 2>(type);
  return modifiers.nan ? on_halves<Extremum<maximum, true>, 2>(type)
                       : on_halves<Extremum<maximum, false>, 2>(type);
}

Handler fused(ptx::Type type, const ptx::Modifiers& modifiers) {
  switch (modifiers.fused_sign) {
    case ptx::FusedSign::Plain:
      return on_halves<MultiplyAdd<ptx::FusedSign::Plain>, 3>(type);
    case ptx::FusedSign::NegativeProduct:
      return rarely_on_halves<MultiplyAdd<ptx::FusedSign::NegativeProduct>, 3>(type);
    case ptx::FusedSign::NegativeAddend:
      return rarely_on_halves<MultiplyAdd<ptx::FusedSign::NegativeAddend>, 3>(type);
  }
  return nullptr;
}

/// Relation of two numbers: bit 0 less, 1 equal, 2 greater, 3 one is a NaN.
uint32_t relation(float a, float b) {
  if (is_nan(a) || is_nan(b)) return 8;
  return a < b ? 1 : a == b ? 2 : 4;
}

/// The relations that a comparison holds in.
uint32_t relations(ptx::Comparison comparison) {
  using enum ptx::Comparison;
  switch (comparison) {
    case Eq:
      return 2;
    case Ne:
      return 1 | 4;
    case Lt:
      return 1;
    case Le:
      return 1 | 2;
    case Gt:
      return 4;
    case Ge:
      return 4 | 2;
    case Equ:
      return 2 | 8;
    case Neu:
      return 1 | 4 | 8;
    case Ltu:
      return 1 | 8;
    case Leu:
      return 1 | 2 | 8;
    case Gtu:
      return 4 | 8;
    case Geu:
      return 4 | 2 | 8;
    case Num:
      return 1 | 2 | 4;
    case Nan:
      return 8;
    default:
      return 0;
  }
}

uint32_t combine(ptx::Combination combination, uint32_t truths, uint32_t with) {
  switch (combination) {
    case ptx::Combination::And:
      return truths & with;
    case ptx::Combination::Or:
      return truths | with;
    case ptx::Combination::Xor:
      return truths ^ with;
    case ptx::Combination::None:
      break;
  }
  return truths;
}

/// Truths of the lower and the upper half, a bit per lane; of a single half the upper is the opposite.
struct Truths {
  uint32_t low = 0;
  uint32_t high = 0;
};

template <class Format>
Truths compare(const Warps& warps, const Step& step, uint32_t n, bool is_packed) {
  const ptx::Program& program = *warps.block.code.program;
  const ptx::Modifiers& modifiers = program.modifiers[program.steps[step.index].modifiers];
  const uint32_t wanted = relations(modifiers.comparison);
  const OnHalf<Add, Format> options(step);
  const auto* a = cells<const uint32_t>(warps, step.source[0], n);
  const auto* b = cells<const uint32_t>(warps, step.source[1], n);
  const auto holds = [&](uint32_t x, uint32_t y) {
    const float left = widen(options.flushed(Format{static_cast<uint16_t>(x)}));
    const float right = widen(options.flushed(Format{static_cast<uint16_t>(y)}));
    return uint32_t{(relation(left, right) & wanted) != 0};
  };
  Truths truths;
  for (int lane = 0; lane < kLanes; ++lane) {
    truths.low |= holds(a[lane], b[lane]) << lane;
    if (is_packed) truths.high |= holds(a[lane] >> 16, b[lane] >> 16) << lane;
  }
  if (!is_packed) truths.high = ~truths.low;
  if (step.combination == ptx::Combination::None) return truths;
  const uint32_t with =
      *cells<const uint32_t>(warps, step.source[2], n) ^ (step.negated & 4 ? ~uint32_t{0} : 0);
  return {combine(step.combination, truths.low, with), combine(step.combination, truths.high, with)};
}

template <class Format, bool packed>
void set_predicates(Warps& warps, const Step& step) {
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const Truths truths = compare<Format>(warps, step, n, packed);
    write_predicate(*cells<uint32_t>(warps, step.destination[0], n), mask, false, truths.low);
    write_predicate(*cells<uint32_t>(warps, step.destination[1], n), mask, false, truths.high);
  });
}

/// One in the format of the result, or all ones; `unit` is of one half where the result has two.
template <class Format, bool packed>
void set_registers(Warps& warps, const Step& step) {
  uint32_t yes = packed ? 0xffff : ~uint32_t{0};
  if (step.type == ptx::Type::f16 || step.type == ptx::Type::f16x2) yes = to_half(1.0f).bits;
  if (step.type == ptx::Type::bf16 || step.type == ptx::Type::bf16x2) yes = to_bfloat(1.0f).bits;
  if (step.type == ptx::Type::f32) yes = __builtin_bit_cast(uint32_t, 1.0f);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const Truths truths = compare<Format>(warps, step, n, packed);
    auto* to = cells<uint32_t>(warps, step.destination[0], n);
    for_each_lane({mask}, [&](int lane) {
      const uint32_t low = truths.low >> lane & 1 ? yes : 0;
      const uint32_t high = packed && (truths.high >> lane & 1) ? yes << 16 : 0;
      to[lane] = low | high;
    });
  });
}

template <class Format, bool packed>
Handler comparing(ptx::Op op) {
  return op == ptx::Op::set ? set_registers<Format, packed> : set_predicates<Format, packed>;
}

Handler comparison(const ptx::Step& step) {
  switch (step.op == ptx::Op::set ? step.second_type : step.type) {
    case ptx::Type::f16:
      return comparing<Half, false>(step.op);
    case ptx::Type::bf16:
      return comparing<Bfloat, false>(step.op);
    case ptx::Type::f16x2:
      return comparing<Half, true>(step.op);
    case ptx::Type::bf16x2:
      return comparing<Bfloat, true>(step.op);
    default:
      return nullptr;
  }
}

}  // namespace

Handler half_handler(const ptx::Program& program, const ptx::Step& step) {
  if (step.op == ptx::Op::set || step.op == ptx::Op::setp) return comparison(step);
  const ptx::Type type = step.type;
  if (!ptx::is_half(type)) return nullptr;
  const ptx::Modifiers& modifiers = program.modifiers[step.modifiers];
  switch (step.op) {
    case ptx::Op::add:
      return on_halves<Add, 2>(type);
    case ptx::Op::sub:
      return on_halves<Subtract, 2>(type);
    case ptx::Op::mul:
      return on_halves<Multiply, 2>(type);
    case ptx::Op::fma:
      return fused(type, modifiers);
    case ptx::Op::neg:
      return on_halves<Negate, 1>(type);
    case ptx::Op::abs:
      return on_halves<Absolute, 1>(type);
    case ptx::Op::min:
      return extremum<false>(type, modifiers);
    case ptx::Op::max:
      return extremum<true>(type, modifiers);
    case ptx::Op::ex2:
      return rarely_on_halves<Exponential2, 1>(type);
    case ptx::Op::tanh:
      return rarely_on_halves<HyperbolicTangent, 1>(type);
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
