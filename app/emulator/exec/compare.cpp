// Comparison and selection. Source: PTX ISA, "Comparison and Selection Instructions": a comparison with a NaN
// is false, but for ne and the unordered forms, which are true. Tests: tests/unit/emulator/compare_test.cpp

#include "emulator/exec/executor.h"

#include <cstring>
#include <optional>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

using ptx::Combination;
using ptx::Comparison;

constexpr bool is_order(Comparison comparison) {
  using enum Comparison;
  return comparison == Lt || comparison == Le || comparison == Gt || comparison == Ge || comparison == Lo ||
         comparison == Ls || comparison == Hi || comparison == Hs;
}

template <Comparison comparison>
struct Compare {
  /// Monotonic: if the comparison has one truth at the lowest and the highest integer, it has it for every
  /// integer between.
  static constexpr bool kIsOrder = is_order(comparison);
  template <class T>
  constexpr bool operator()(T a, T b) const {
    using enum Comparison;
    if constexpr (comparison == Eq) return a == b;
    // Clang and GCC keep `!(a == b)`: it is the unordered form of ne.
    if constexpr (comparison == Ne) return a < b || b < a;
    if constexpr (comparison == Lt || comparison == Lo) return a < b;
    if constexpr (comparison == Le || comparison == Ls) return a <= b;
    if constexpr (comparison == Gt || comparison == Hi) return a > b;
    if constexpr (comparison == Ge || comparison == Hs) return a >= b;
    if constexpr (comparison == Equ) return !(a < b || b < a);
    if constexpr (comparison == Neu) return !(a == b);
    if constexpr (comparison == Ltu) return !(a >= b);
    if constexpr (comparison == Leu) return !(a > b);
    if constexpr (comparison == Gtu) return !(a <= b);
    if constexpr (comparison == Geu) return !(a < b);
    // NOLINTBEGIN(misc-redundant-expression): a NaN is not equal to itself
    if constexpr (comparison == Num) return a == a && b == b;
    if constexpr (comparison == Nan) return !(a == a && b == b);
    // NOLINTEND(misc-redundant-expression)
    return false;
  }
};

/// A subnormal counts as zero under .ftz.
template <class F, bool flush>
struct Flushed {
  static constexpr bool kIsOrder = false;  // a NaN is between no two numbers
  template <class T>
  constexpr bool operator()(T a, T b) const {
    if constexpr (flush) {
      constexpr T kSmallest = static_cast<T>(0x1p-126);
      a = a < kSmallest && a > -kSmallest ? T{0} : a;
      b = b < kSmallest && b > -kSmallest ? T{0} : b;
    }
    return F{}(a, b);
  }
};

template <class F, class T>
[[gnu::always_inline]] inline uint32_t compare_lanes(const Cell<T>* a, const Cell<T>* b) {
  alignas(64) std::array<uint8_t, kLanes> truths;
  for (size_t lane = 0; lane < kLanes; ++lane)
    truths[lane] = F{}(from_cell<T>(a[lane]), from_cell<T>(b[lane])) ? 1 : 0;
  return pack(truths);
}

/// Truths of the n-th warp of the group, whose operands are in lanes.
template <class F, class T>
[[gnu::always_inline]] inline uint32_t compare_warp(const Warps& warps, const Step& step, uint32_t n) {
  return compare_lanes<F, T>(cells<const Cell<T>>(warps, step.source[0], n),
                             cells<const Cell<T>>(warps, step.source[1], n));
}

[[gnu::always_inline]] inline uint32_t combine(Combination combination, uint32_t truths, uint32_t with) {
  switch (combination) {
    case Combination::And:
      return truths & with;
    case Combination::Or:
      return truths | with;
    case Combination::Xor:
      return truths ^ with;
    case Combination::None:
      break;
  }
  return truths;
}

/// Truth of a monotonic comparison of a form with a constant, if it is the same in all lanes; else no value.
/// `holds(value)` compares a lane's value.
template <class T, class F>
[[gnu::always_inline]] inline std::optional<bool> decide(const Form& form, F&& holds) {
  T lowest{};
  T highest{};
  const Spread& spread = *form.spread;
  const T first = from_cell<T>(static_cast<Cell<T>>(form.first));
  if (spread.is_long || __builtin_add_overflow(first, spread.lowest, &lowest) ||
      __builtin_add_overflow(first, spread.highest, &highest))
    return std::nullopt;
  const bool at_lowest = holds(lowest);
  return at_lowest == holds(highest) ? std::optional(at_lowest) : std::nullopt;
}

/// Truth of a comparison of two operands in forms, if it is known to be the same in all lanes; else no value.
/// Known only if at least one operand is a constant.
template <class F, class T>
[[gnu::always_inline]] inline std::optional<bool> decide(const Form& a, const Form& b) {
  const T first_a = from_cell<T>(static_cast<Cell<T>>(a.first));
  const T first_b = from_cell<T>(static_cast<Cell<T>>(b.first));
  if (a.state & b.state & kIsConstant) return F{}(first_a, first_b);
  if constexpr (std::is_integral_v<T> && sizeof(T) >= 4 && F::kIsOrder) {
    if ((a.state & b.state & kInForm) == 0) return std::nullopt;
    if (b.state & kIsConstant) return decide<T>(a, [&](T value) { return F{}(value, first_b); });
    if (a.state & kIsConstant) return decide<T>(b, [&](T value) { return F{}(first_a, value); });
  }
  return std::nullopt;
}

/// True if the comparison is monotonic, `a` changes in equal steps in each warp, without wrapping around, and
/// `b` is a constant. The truth then changes at most once from lane 0 to lane 31 of a warp.
template <class F, class T>
[[gnu::always_inline]] inline bool rises_to_constant(const Form& a, const Form& b) {
  if constexpr (std::is_integral_v<T> && sizeof(T) >= 4 && F::kIsOrder) {
    T end{};
    const T first = from_cell<T>(static_cast<Cell<T>>(a.first));
    return (b.state & kIsConstant) != 0 && a.spread->is_affine && !a.spread->is_long &&
           !__builtin_add_overflow(first, a.spread->lowest, &end) &&
           !__builtin_add_overflow(first, a.spread->highest, &end);
  }
  return false;
}

/// Lanes in which `holds` is true, if it changes at most once from lane 0 to lane 31: the change is found by
/// halving.
template <class F>
[[gnu::always_inline]] inline uint32_t compare_ends(F&& holds) {
  const bool at_first = holds(0);
  if (holds(kLanes - 1) == at_first) return at_first ? kAllLanes.bits : 0;
  uint32_t same = 0;  // a lane with the truth of lane 0
  for (uint32_t half = kLanes / 2; half != 0; half /= 2)
    if (holds(same + half) == at_first) same += half;
  const uint32_t up_to = (uint32_t{2} << same) - 1;
  return at_first ? up_to : ~up_to;
}

/// Finds the lanes in which the comparison of two operands in forms is true.
template <class F, class T>
[[gnu::noinline]] void compare_forms(const Warps& warps, const Step& step, const Form& a, const Form& b,
                                     WarpLanes& truths) {
  const auto compare_each = [&](auto&& compare) {
    for (uint32_t n = 0; n < warps.block.code.warps; ++n) truths[n] = compare(n);
  };
  const auto value = [](const Form& of, uint32_t n, uint32_t lane) {
    return from_cell<T>(static_cast<Cell<T>>(of.first + static_cast<uint64_t>(of.spread->base[n]) +
                                             static_cast<uint64_t>(of.spread->step[n]) * lane));
  };
  if (a.state & b.state & kIsUniform)
    return compare_each([&](uint32_t n) { return F{}(value(a, n, 0), value(b, n, 0)) ? kAllLanes.bits : 0; });
  if (rises_to_constant<F, T>(a, b))
    return compare_each([&](uint32_t n) {
      return compare_ends([&](uint32_t lane) { return F{}(value(a, n, lane), value(b, n, 0)); });
    });
  put_in_lanes(warps, step.source[0]);
  put_in_lanes(warps, step.source[1]);
  compare_each([&](uint32_t n) { return compare_warp<F, T>(warps, step, n); });
}

/// Lanes in which the comparison of two operands in forms is true. They are remembered, and computed only if
/// the operands differ from the last time.
template <class F, class T>
[[gnu::always_inline]] inline const WarpLanes& truths_of_forms(const Warps& warps, const Step& step,
                                                               const Form& a, const Form& b) {
  KnownTruths& known = warps.block.spreads.known_truths(step.index);
  const std::array of{KnownTruths::Compared{a.spread, a.first}, KnownTruths::Compared{b.spread, b.first}};
  if (known.of != of) {
    known.of = of;
    compare_forms<F, T>(warps, step, a, b, known.truths);
  }
  return known.truths;
}

template <class F, class T>
[[gnu::noinline]] void set_masks(Warps& warps, const Step& step) {
  drop_truth(warps, step);
  const bool whole = may_write_all(warps, step);
  const Operand& destination = step.destination[0];
  const uint32_t count = warps.count;
  const uint32_t flip = step.negated & 4 ? ~uint32_t{0} : 0;
  Masks masks(warps, step);
  Cursor<uint32_t> to(warps, destination);
  Cursor<const uint32_t> with(warps, step.source[2]);
  const auto write_each = [&](auto&& next) {
    for (uint32_t n = 0; n < count; ++n, masks.next(), to.next(), with.next()) {
      const uint32_t truths = next(n);
      const bool is_alone = step.combination == Combination::None;
      write_predicate(*to.here(), whole ? 0 : masks.here(), whole,
                      is_alone ? truths : combine(step.combination, truths, *with.here() ^ flip));
    }
  };
  if (warps.has_forms) {
    const Form& a = form_of(warps.registers, step.source[0]);
    const Form& b = form_of(warps.registers, step.source[1]);
    if (const auto decided = decide<F, T>(a, b))
      return write_each([&](uint32_t) { return *decided ? kAllLanes.bits : 0; });
    if (a.state & b.state & kInForm) {
      const WarpLanes& truths = truths_of_forms<F, T>(warps, step, a, b);
      if (!whole || step.combination != Combination::None || destination.stride != sizeof(uint32_t))
        return write_each([&](uint32_t n) { return truths[n]; });
      std::memcpy(to.here(), truths.data(), sizeof(uint32_t) * count);
      return;
    }
    put_in_lanes(warps, step.source[0]);
    put_in_lanes(warps, step.source[1]);
  }
  write_each([&](uint32_t n) { return compare_warp<F, T>(warps, step, n); });
}

template <class F, class T>
void set_predicate(Warps& warps, const Step& step) {
  const bool is_alone = step.combination == Combination::None;
  if (may_be_truth(warps, step) && (is_alone || has_truth(warps.registers, step.source[2]))) {
    if (const auto decided = decide<F, T>(form_of(warps.registers, step.source[0]),
                                          form_of(warps.registers, step.source[1]))) {
      const uint32_t truth = *decided ? kAllLanes.bits : 0;
      const uint32_t with =
          is_alone ? 0 : truth_of(warps.registers, step.source[2]) ^ (step.negated & 4 ? ~uint32_t{0} : 0);
      return set_truth(warps, step.destination[0], combine(step.combination, truth, with));
    }
  }
  set_masks<F, T>(warps, step);
}

/// Truths of the n-th warp of the group; `opposite` is all ones to negate the comparison first. For rare
/// instructions: it is called for each warp.
using TruthsOfWarp = uint32_t (*)(const Warps& warps, const Step& step, uint32_t n, uint32_t opposite);
template <class F, class T>
uint32_t truths_of_warp(const Warps& warps, const Step& step, uint32_t n, uint32_t opposite) {
  const uint32_t truths = opposite ^ compare_warp<F, T>(warps, step, n);
  if (step.combination == Combination::None) return truths;
  const uint32_t flip = step.negated & 4 ? ~uint32_t{0} : 0;
  return combine(step.combination, truths, *cells<const uint32_t>(warps, step.source[2], n) ^ flip);
}

/// setp with two destinations: the second gets the opposite of the comparison.
void set_both_predicates(Warps& warps, const Step& step, TruthsOfWarp truths) {
  const bool whole = may_write_all(warps, step);
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const uint32_t are_true = truths(warps, step, n, 0);
    const uint32_t opposite = truths(warps, step, n, ~uint32_t{0});
    write_predicate(*cells<uint32_t>(warps, step.destination[0], n), mask, whole, are_true);
    write_predicate(*cells<uint32_t>(warps, step.destination[1], n), mask, whole, opposite);
  });
}

/// set: all ones, or 1.0, where the comparison is true.
void set_register(Warps& warps, const Step& step, TruthsOfWarp truths) {
  const uint32_t yes = step.type == ptx::Type::f32    ? __builtin_bit_cast(uint32_t, 1.0f)
                       : step.type == ptx::Type::f16  ? 0x3c00
                       : step.type == ptx::Type::bf16 ? 0x3f80
                                                      : ~uint32_t{0};
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const uint32_t are_true = truths(warps, step, n, 0);
    uint32_t* to = cells<uint32_t>(warps, step.destination[0], n);
    for (int lane = 0; lane < kLanes; ++lane)
      to[lane] = mask >> lane & 1 ? (are_true >> lane & 1 ? yes : 0) : to[lane];
  });
}

/// Handler that executes an instruction by `set`, with the truths of truths_of_warp().
template <void (*set)(Warps&, const Step&, TruthsOfWarp), class F, class T>
void by_truths(Warps& warps, const Step& step) {
  set(warps, step, truths_of_warp<F, T>);
}

/// The handler of one comparison of one type.
template <class F, class T>
Handler comparing(const ptx::Step& step) {
  if (step.op == ptx::Op::set) return by_truths<set_register, F, T>;
  if (step.destination[1] != ptx::kNoSlot) return by_truths<set_both_predicates, F, T>;
  return {set_predicate<F, T>, true};
}

template <class T>
Handler ordered(const ptx::Step& step, const ptx::Modifiers& modifiers) {
  switch (modifiers.comparison) {
#define COMPARISON(name) \
  case Comparison::name: \
    return comparing<Compare<Comparison::name>, T>(step)
    COMPARISON(Eq);
    COMPARISON(Ne);
    COMPARISON(Lt);
    COMPARISON(Le);
    COMPARISON(Gt);
    COMPARISON(Ge);
    case Comparison::Lo:
      return comparing<Compare<Comparison::Lt>, T>(step);
    case Comparison::Ls:
      return comparing<Compare<Comparison::Le>, T>(step);
    case Comparison::Hi:
      return comparing<Compare<Comparison::Gt>, T>(step);
    case Comparison::Hs:
      return comparing<Compare<Comparison::Ge>, T>(step);
    default:
      return nullptr;
  }
}

template <class T, bool flush>
Handler with_nan(const ptx::Step& step, const ptx::Modifiers& modifiers) {
#undef COMPARISON
#define COMPARISON(name) \
  case Comparison::name: \
    return comparing<Flushed<Compare<Comparison::name>, flush>, T>(step)
  switch (modifiers.comparison) {
    COMPARISON(Eq);
    COMPARISON(Ne);
    COMPARISON(Lt);
    COMPARISON(Le);
    COMPARISON(Gt);
    COMPARISON(Ge);
    COMPARISON(Equ);
    COMPARISON(Neu);
    COMPARISON(Ltu);
    COMPARISON(Leu);
    COMPARISON(Gtu);
    COMPARISON(Geu);
    COMPARISON(Num);
    COMPARISON(Nan);
    default:
      return nullptr;
  }
#undef COMPARISON
}

Handler comparison(const ptx::Program& program, const ptx::Step& step) {
  const ptx::Modifiers& modifiers = program.modifiers[step.modifiers];
  switch (step.op == ptx::Op::set ? step.second_type : step.type) {
    case ptx::Type::s16:
      return ordered<int16_t>(step, modifiers);
    case ptx::Type::s32:
      return ordered<int32_t>(step, modifiers);
    case ptx::Type::s64:
      return ordered<int64_t>(step, modifiers);
    case ptx::Type::b16:
    case ptx::Type::u16:
      return ordered<uint16_t>(step, modifiers);
    case ptx::Type::b32:
    case ptx::Type::u32:
      return ordered<uint32_t>(step, modifiers);
    case ptx::Type::b64:
    case ptx::Type::u64:
      return ordered<uint64_t>(step, modifiers);
    case ptx::Type::f32:
      return modifiers.flush_to_zero ? with_nan<float, true>(step, modifiers)
                                     : with_nan<float, false>(step, modifiers);
    case ptx::Type::f64:
      return with_nan<double, false>(step, modifiers);
    default:
      return nullptr;
  }
}

template <class C>
void select(Warps& warps, const Step& step) {
  const uint32_t flip = step.negated & 4 ? ~uint32_t{0} : 0;
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const C* a = cells<const C>(warps, step.source[0], n);
    const C* b = cells<const C>(warps, step.source[1], n);
    const uint32_t choice = *cells<const uint32_t>(warps, step.source[2], n) ^ flip;
    C* to = cells<C>(warps, step.destination[0], n);
#pragma GCC ivdep
    for (int lane = 0; lane < kLanes; ++lane) {
      const C chosen = choice >> lane & 1 ? a[lane] : b[lane];
      to[lane] = mask >> lane & 1 ? chosen : to[lane];
    }
  });
}

struct SelectBySign {
  template <class T, class C>
  constexpr T operator()(T a, T b, C c) const {
    return c >= 0 ? a : b;
  }
};

/// slct.ftz: a subnormal counts as zero, whatever its sign.
struct SelectByFlushedSign {
  template <class T>
  constexpr T operator()(T a, T b, float c) const {
    return c > -0x1p-126f ? a : b;
  }
};

Handler select_by_sign(const ptx::Step& step, bool flush) {
  const bool wide = ptx::size_bytes(step.type) == 8;
  if (step.second_type == ptx::Type::f32 && flush)
    return wide ? map<SelectByFlushedSign, uint64_t, uint64_t, uint64_t, float>
                : map<SelectByFlushedSign, uint32_t, uint32_t, uint32_t, float>;
  if (step.second_type == ptx::Type::f32)
    return wide ? map<SelectBySign, uint64_t, uint64_t, uint64_t, float>
                : map<SelectBySign, uint32_t, uint32_t, uint32_t, float>;
  return wide ? map<SelectBySign, uint64_t, uint64_t, uint64_t, int32_t>
              : map<SelectBySign, uint32_t, uint32_t, uint32_t, int32_t>;
}

}  // namespace

Handler compare_handler(const ptx::Program& program, const ptx::Step& step) {
  switch (step.op) {
    case ptx::Op::setp:
    case ptx::Op::set:
      return comparison(program, step);
    case ptx::Op::selp:
      return ptx::size_bytes(step.type) == 8 ? select<uint64_t> : select<uint32_t>;
    case ptx::Op::slct:
      return select_by_sign(step, program.modifiers[step.modifiers].flush_to_zero);
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
