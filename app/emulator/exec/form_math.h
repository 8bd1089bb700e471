// Instructions on registers that are in forms (form.h): the value of the result's first lane from those of
// the operands, and its spread, which is remembered, since it is the same in the next block. Method: any
// instruction on constants has a constant result, and one on integers that are uniform in each warp a uniform
// one. An instruction that is linear in its operands has a result with a form too; its function says so by
// `rule`. Where 32 bits become 64, no lane may have wrapped around: if one has, the lanes are computed
// instead. Compiled once per instruction set, like lanes.h. Tests: tests/unit/emulator/form_test.cpp

#pragma once

#include "emulator/block/block.h"
#include "emulator/exec/cells.h"
#include "emulator/form.h"

#include <array>
#include <bit>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// How the form of a result follows from forms that are not all uniform.
enum class FormRule : uint8_t {
  None,
  Linear,   // in all operands
  Offset,   // the operand plus a constant
  Scaled,   // the first operand times what the second, a constant one, says; plus the third
  Product,  // the same, where the first two may be exchanged
  Widened,  // as Product, of 32 bits in 64
};
template <class F>
inline constexpr FormRule kRuleOf = [] {
  if constexpr (requires { F::rule; })
    return F::rule;
  else
    return FormRule::None;
}();

/// A value as a register holds it, and the other way around.
template <class T>
[[gnu::always_inline]] inline T from_first(uint64_t first) {
  return from_cell<T>(static_cast<Cell<T>>(first));
}
template <class T, class V>
[[gnu::always_inline]] inline uint64_t to_first(V value) {
  return to_cell<T>(static_cast<T>(value));
}

/// Whether a value of 32 bits with this spread lies in the range of T in all lanes, none of which has wrapped
/// around.
template <class T>
[[gnu::always_inline]] inline bool is_in_range(int64_t first, const Spread& spread) {
  static_assert(sizeof(T) == 4);
  return !spread.is_long && first + spread.lowest >= std::numeric_limits<T>::min() &&
         first + spread.highest <= std::numeric_limits<T>::max();
}

/// The spread whose numbers are compute(n-th number of each spread); null if it is not to be had. C: the
/// result's cells.
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

/// The form of a result whose operands have forms, not all constant. False if it has none: nothing is
/// written.
template <class F, class D, class... S>
[[gnu::always_inline]] inline bool combine_forms(const F f, Spreads& spreads, uint32_t instruction, Form& to,
                                                 const std::array<const Form*, sizeof...(S)>& from) {
  constexpr FormRule kRule = kRuleOf<F>;
  constexpr size_t kOperands = sizeof...(S);
  constexpr bool kHasFactor = kOperands > 1 && (kRule == FormRule::Scaled || kRule == FormRule::Product ||
                                                kRule == FormRule::Widened);
  size_t factor = kOperands;
  if constexpr (kHasFactor) {
    factor = from[1]->state & kIsConstant ? 1 : 0;
    if (factor == 0 && (kRule == FormRule::Scaled || (from[0]->state & kIsConstant) == 0)) return false;
  }
  const auto first = [&]<size_t... n>(std::index_sequence<n...>) {
    return to_first<D>(f(from_first<S>(from[n]->first)...));
  }(std::index_sequence_for<S...>{});
  const Form& varying = *from[factor == 0 ? 1 : 0];
  using A = std::tuple_element_t<0, std::tuple<S...>>;
  if constexpr (kRule == FormRule::Widened) {
    if (!is_in_range<A>(from_first<A>(varying.first), *varying.spread)) return false;
  }
  const Spread* spread = nullptr;
  if constexpr (kRule == FormRule::Offset || (kRule == FormRule::Widened && kOperands == 1)) {
    spread = varying.spread;
  } else {
    const Spread* const other = kHasFactor ? (kOperands == 3 ? from[2]->spread : nullptr)
                                           : (kOperands == 2 ? from[kOperands - 1]->spread : nullptr);
    const uint64_t times = kHasFactor && varying.spread != &kConstantSpread ? from[factor]->first : 0;
    spread = spreads.last_result(instruction, varying.spread, other, times);
    if (spread == nullptr) [[unlikely]] {
      if (!spreads.may_make(instruction)) return false;
      const auto of = [&](size_t n) -> const Spread& { return *from[n]->spread; };
      if constexpr (kRule == FormRule::Widened) {
        const int64_t by = from_first<A>(times);
        const Spread& third = kOperands == 3 ? of(kOperands - 1) : kConstantSpread;
        spread = make_spread<Cell<D>>(
            spreads, instruction,
            [by](int64_t number, int64_t added) {
              return static_cast<uint64_t>(number) * static_cast<uint64_t>(by) + static_cast<uint64_t>(added);
            },
            *varying.spread, third);
      } else {
        spread = [&]<size_t... n>(std::index_sequence<n...>) {
          return make_spread<Cell<D>>(
              spreads, instruction,
              [&](auto... numbers) {
                return to_first<D>(f(from_first<S>(n == factor ? times : static_cast<uint64_t>(numbers))...));
              },
              of(n)...);
        }(std::index_sequence_for<S...>{});
      }
      if (spread == nullptr) return false;
      spreads.set_last_result(instruction, varying.spread, other, times, spread);
    }
  }
  to = {state_of(spread), first, spread};
  return true;
}

/// The form of a result whose operands have one value in each warp: so has it.
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
    to = {state_of(spread), first, spread};
    return true;
  }(std::index_sequence_for<S...>{});
}

/// Executes an instruction on operands that are all in forms; false, with nothing done, if it has to be done
/// lane by lane.
template <class F, class D, class... S>
[[gnu::always_inline]] inline bool map_forms(const F f, Warps& warps, const Step& step) {
  return [&]<size_t... n>(std::index_sequence<n...>) __attribute__((always_inline)) {
    Form& to = form_of(warps.registers, step.destination[0]);
    const std::array<const Form*, sizeof...(S)> from{&form_of(warps.registers, step.source[n])...};
    const uint32_t states = (from[n]->state & ...);
    if ((states & kInForm) == 0) return false;
    if (states & kIsConstant) {
      to = {state_of(&kConstantSpread), to_first<D>(f(from_first<S>(from[n]->first)...)), &kConstantSpread};
      return true;
    }
    if constexpr ((std::is_integral_v<D> && ... && std::is_integral_v<S>)) {
      Spreads& spreads = warps.block.spreads;
      if constexpr (kRuleOf<F> != FormRule::None && sizeof(D) >= 4 && (... && (sizeof(S) >= 4))) {
        if (combine_forms<F, D, S...>(f, spreads, step.index, to, from)) return true;
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

/// For an instruction that knows lanes only: it reads all its operands there, and what it writes is there.
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

/// What one warp has computed for all is uniform.
inline void keep_uniform(const Warps& warps, const Step& step) {
  const auto keep = [&](const Operand& operand) {
    if (operand.width != ptx::SlotWidth::Predicate) make_uniform(warps.registers, operand);
  };
  for (const Operand& operand : step.destination) keep(operand);
  for (uint32_t n = 0; n < step.list_written; ++n) keep(step.list[n]);
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
