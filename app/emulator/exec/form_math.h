// Instructions on registers that are in forms (form.h): the value of the result's first lane from those of
// the operands, and its spread, which is remembered, since it is the same in the next block. Method: any
// instruction on constants has a constant result, and one on integers that are uniform in each warp a uniform
// one. An instruction that is linear in its operands has a result with a form too; its function says so by
// `rule`. Where 32 bits become 64, no lane may have wrapped around: if one has, the lanes are computed
// instead. Compiled once per instruction set, like lanes.h. Tests: tests/unit/emulator/form_test.cpp

#pragma once

#include "emulator/block/block.h"
#include "emulator/exec/cells.h"
#include "emulator/values/form.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// Rule by which the form of a result follows from forms that are not all uniform.
enum class FormRule : uint8_t {
  None,
  Linear,   // in all operands
  Offset,   // the operand plus a constant
  Scaled,   // the first operand times a factor that the constant second one gives; plus the third
  Product,  // as Scaled, and the first two operands may be exchanged
  Widened,  // as Product, of 32-bit operands in 64 bits
};
template <class F>
inline constexpr FormRule kRuleOf = [] {
  if constexpr (requires { F::rule; })
    return F::rule;
  else
    return FormRule::None;
}();

/// Conversions between a value and Form::first.
template <class T>
[[gnu::always_inline]] inline T from_first(uint64_t first) {
  return from_cell<T>(static_cast<Cell<T>>(first));
}
template <class T, class V>
[[gnu::always_inline]] inline uint64_t to_first(V value) {
  return to_cell<T>(static_cast<T>(value));
}

/// True if a 32-bit value with this spread lies in the range of T in all lanes: no lane has wrapped around.
template <class T>
[[gnu::always_inline]] inline bool is_in_range(int64_t first, const Spread& spread) {
  static_assert(sizeof(T) == 4);
  return !spread.is_long && first + spread.lowest >= std::numeric_limits<T>::min() &&
         first + spread.highest <= std::numeric_limits<T>::max();
}

/// The spread whose numbers are compute(n-th number of each spread); null where there is no room for it. C:
/// the result's cells.
template <class C, class F, class... Of>
[[gnu::noinline]] const Spread* make_spread(Spreads& spreads, uint32_t instruction, F&& compute,
                                            const Of&... of) {
  SpreadNumbers made;
  const auto fill = [&](int64_t(SpreadNumbers::* numbers)[SpreadNumbers::kMostWarps]) {
    for (uint32_t w = 0; w < spreads.warps(); ++w)
      (made.*numbers)[w] = static_cast<std::make_signed_t<C>>(static_cast<C>(compute((of.*numbers)[w]...)));
  };
  fill(&SpreadNumbers::base);
  fill(&SpreadNumbers::step);
  fill(&SpreadNumbers::row);
  return spreads.make(instruction, made);
}

/// Inputs of a result's spread: the spreads of two operands, and the value of a third that multiplies the
/// first of them.
struct SpreadOrigin {
  size_t varying = 0;  // the operand that may be multiplied
  const Spread* spread = nullptr;
  const Spread* other = nullptr;
  uint64_t factor = 0;
};

/// True if the result has the spread of one operand, whatever the other operands are.
template <class F, size_t operands>
inline constexpr bool kKeepsSpread =
    kRuleOf<F> == FormRule::Offset || (kRuleOf<F> == FormRule::Widened && operands == 1);

/// Finds the inputs of a result's spread from operands that have forms. False if the rule of the instruction
/// does not hold for them.
template <class F, class... S>
[[gnu::always_inline]] inline bool find_origin(const std::array<const Form*, sizeof...(S)>& from,
                                               SpreadOrigin& origin) {
  constexpr FormRule kRule = kRuleOf<F>;
  constexpr size_t kOperands = sizeof...(S);
  constexpr bool kHasFactor = kOperands > 1 && (kRule == FormRule::Scaled || kRule == FormRule::Product ||
                                                kRule == FormRule::Widened);
  if constexpr (kHasFactor) {
    origin.varying = from[1]->state & kIsConstant ? 0 : 1;
    if (origin.varying == 1 && (kRule == FormRule::Scaled || (from[0]->state & kIsConstant) == 0))
      return false;
  }
  const Form& varying = *from[origin.varying];
  origin.spread = varying.spread;
  if constexpr (kRule == FormRule::Widened) {
    using A = std::tuple_element_t<0, std::tuple<S...>>;
    if (!is_in_range<A>(from_first<A>(varying.first), *varying.spread)) return false;
  }
  if constexpr (kKeepsSpread<F, kOperands>) return true;
  if constexpr (kOperands == (kHasFactor ? 3 : 2)) origin.other = from[kOperands - 1]->spread;
  if constexpr (kHasFactor)
    origin.factor = origin.spread == &kConstantSpread ? 0 : from[1 - origin.varying]->first;
  return true;
}

/// The first value of a result.
template <class F, class D, class... S>
[[gnu::always_inline]] inline uint64_t first_of(const F f,
                                                const std::array<const Form*, sizeof...(S)>& from) {
  return [&]<size_t... n>(std::index_sequence<n...>) __attribute__((always_inline)) {
    return to_first<D>(f(from_first<S>(from[n]->first)...));
  }(std::index_sequence_for<S...>{});
}

/// True if F has a rule and types with which a result can have a form though its operands are not all
/// constant.
template <class F, class D, class... S>
inline constexpr bool kMakesForms =
    kRuleOf<F> != FormRule::None && (std::is_integral_v<D> && ... && std::is_integral_v<S>) &&
    sizeof(D) >= 4 && (... && (sizeof(S) >= 4));

/// Finds the form of a result that is constant, or whose spread is known from the last time; else false. This
/// is how almost every block but the first has its forms: it calls nothing, so that its caller has no
/// registers to save.
template <class F, class D, class... S>
[[gnu::always_inline]] inline bool repeat_form(const F f, const Spreads& spreads, uint32_t instruction,
                                               Form& to, const std::array<const Form*, sizeof...(S)>& from) {
  const uint32_t states = [&]<size_t... n>(std::index_sequence<n...>) {
    return (from[n]->state & ...);
  }(std::index_sequence_for<S...>{});
  if (states & kIsConstant) {
    to = {kConstantSpread.state, first_of<F, D, S...>(f, from), &kConstantSpread};
    return true;
  }
  if constexpr (kMakesForms<F, D, S...>) {
    SpreadOrigin origin;
    if ((states & kInForm) == 0 || !find_origin<F, S...>(from, origin)) return false;
    const Spread* spread = origin.spread;
    if constexpr (!kKeepsSpread<F, sizeof...(S)>)
      spread = spreads.last_result(instruction, origin.spread, origin.other, origin.factor);
    if (spread == nullptr) return false;
    to = {spread->state, first_of<F, D, S...>(f, from), spread};
    return true;
  }
  return false;
}

/// Makes the form of a result whose operands the instruction meets for the first time. False, with nothing
/// written, if the result has no form.
template <class F, class D, class... S>
[[gnu::always_inline]] inline bool make_form(const F f, Spreads& spreads, uint32_t instruction, Form& to,
                                             const std::array<const Form*, sizeof...(S)>& from) {
  SpreadOrigin origin;
  if (!find_origin<F, S...>(from, origin) || !spreads.may_make(instruction)) return false;
  const Spread* spread = nullptr;
  if constexpr (kRuleOf<F> == FormRule::Widened) {
    using A = std::tuple_element_t<0, std::tuple<S...>>;
    const int64_t by = from_first<A>(origin.factor);
    const Spread& added = origin.other != nullptr ? *origin.other : kConstantSpread;
    spread = make_spread<Cell<D>>(
        spreads, instruction,
        [by](int64_t number, int64_t more) {
          return static_cast<uint64_t>(number) * static_cast<uint64_t>(by) + static_cast<uint64_t>(more);
        },
        *origin.spread, added);
  } else {
    spread = [&]<size_t... n>(std::index_sequence<n...>) {
      constexpr bool kHasFactor = kRuleOf<F> == FormRule::Scaled || kRuleOf<F> == FormRule::Product;
      return make_spread<Cell<D>>(
          spreads, instruction,
          [&](auto... numbers) {
            return to_first<D>(f(from_first<S>(
                kHasFactor && n == 1 - origin.varying ? origin.factor : static_cast<uint64_t>(numbers))...));
          },
          *from[n]->spread...);
    }(std::index_sequence_for<S...>{});
  }
  if (spread == nullptr) return false;
  spreads.set_last_result(instruction, origin.spread, origin.other, origin.factor, spread);
  to = {spread->state, first_of<F, D, S...>(f, from), spread};
  return true;
}

/// Makes the form of a result whose operands have one value in each warp: the result has, too. False, with
/// nothing written, if there is no room for its spread.
template <class F, class D, class... S>
[[gnu::noinline]] bool compute_warps(const F f, Spreads& spreads, uint32_t instruction, Form& to,
                                     const std::array<const Form*, sizeof...(S)>& from) {
  if (!spreads.may_make(instruction)) return false;
  return [&]<size_t... n>(std::index_sequence<n...>) {
    SpreadNumbers made;
    uint64_t first = 0;
    for (uint32_t w = 0; w < spreads.warps(); ++w) {
      const uint64_t value =
          to_first<D>(f(from_first<S>(from[n]->first + static_cast<uint64_t>(from[n]->spread->base[w]))...));
      if (w == 0) first = value;
      made.base[w] = static_cast<std::make_signed_t<Cell<D>>>(static_cast<Cell<D>>(value - first));
    }
    const Spread* const spread = spreads.make(instruction, made);
    if (spread == nullptr) return false;
    to = {spread->state, first, spread};
    return true;
  }(std::index_sequence_for<S...>{});
}

/// Executes an instruction on operands that are all in forms, for which repeat_form() has found no result;
/// false, with nothing done, if it has to be done lane by lane.
template <class F, class D, class... S>
[[gnu::always_inline]] inline bool map_forms(const F f, Warps& warps, const Step& step) {
  return [&]<size_t... n>(std::index_sequence<n...>) __attribute__((always_inline)) {
    Form& to = form_of(warps.registers, step.destination[0]);
    const std::array<const Form*, sizeof...(S)> from{&form_of(warps.registers, step.source[n])...};
    const uint32_t states = (from[n]->state & ...);
    if ((states & kInForm) == 0) return false;
    if constexpr ((std::is_integral_v<D> && ... && std::is_integral_v<S>)) {
      Spreads& spreads = warps.block.spreads;
      if constexpr (kMakesForms<F, D, S...> && !kKeepsSpread<F, sizeof...(S)>) {
        if (make_form<F, D, S...>(f, spreads, step.index, to, from)) return true;
      }
      if (states & kIsUniform) return compute_warps<F, D, S...>(f, spreads, step.index, to, from);
    }
    return false;
  }(std::index_sequence_for<S...>{});
}

/// Fills the lanes of an operand that is in a form alone.
[[gnu::always_inline]] inline void put_in_lanes(const Warps& warps, const Operand& operand) {
  fill_lanes(warps.block.code, warps.registers, operand);
}

/// Fills the lanes of the first warp alone, of an operand that is the same in all lanes.
[[gnu::noinline]] inline void put_in_first_warp(const Warps& warps, const Operand& operand) {
  const Form& form = form_of(warps.registers, operand);
  if ((form.state & kOnlyForm) == 0) return;
  std::byte* const to = warps.registers + operand.offset;
  if (operand.width == ptx::SlotWidth::Double) {
    std::fill_n(reinterpret_cast<uint64_t*>(to), kLanes, form.first);
  } else {
    std::fill_n(reinterpret_cast<uint32_t*>(to), kLanes, static_cast<uint32_t>(form.first));
  }
}

/// Prepares an instruction that works in lanes only: fills the lanes of its operands, and discards the forms
/// of its destinations.
inline void put_in_lanes(const Warps& warps, const Step& step) {
  for (const Operand& operand : step.source) put_in_lanes(warps, operand);
  for (uint32_t n = 0; n < step.list_size; ++n) put_in_lanes(warps, step.list[n]);
  const auto write = [&](const Operand& operand) {
    put_in_lanes(warps, operand);
    drop_form(warps.registers, operand);
  };
  for (const Operand& operand : step.destination) write(operand);
  for (uint32_t n = 0; n < step.list_written; ++n) write(step.list[n]);
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
