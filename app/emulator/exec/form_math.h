// Instructions on registers that are in forms (form.h): the numbers of the result from those of the operands,
// for all warps of the block at once. Method: any instruction on uniform operands has a uniform result. An
// instruction that is linear in its operands has a result with a form too; its function says so by `rule`.
// Where 32 bits become 64, no lane may have wrapped around: if one has, the lanes are computed instead.
// Compiled once per instruction set, like lanes.h. Tests: tests/unit/emulator/form_test.cpp

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
  Scaled,   // the first operand times what the second, a uniform one, says; plus the third
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

/// So many warps are computed together.
inline constexpr uint32_t kWarpsTogether = 8;

template <class C>
using Numbers = std::array<C, kWarpsTogether>;  // [warp]

/// compute(n) for each of the warps together.
template <class C, class F>
[[gnu::always_inline]] inline Numbers<C> numbers(F&& compute) {
  Numbers<C> all;
  // Unrolled before it is vectorized it would stay eight single computations.
#pragma GCC unroll 1
  for (uint32_t n = 0; n < kWarpsTogether; ++n) all[n] = compute(n);
  return all;
}

/// The base, steps and rows of an operand, of the warps together.
template <class T>
struct FormNumbers {
  [[gnu::always_inline]] FormNumbers(const Form<Cell<T>>& form, uint32_t first) {
    __builtin_memcpy(base.data(), form.base + first, sizeof base);
    __builtin_memcpy(step.data(), form.step + first, sizeof step);
    __builtin_memcpy(row.data(), form.row + first, sizeof row);
  }
  Numbers<Cell<T>> base;
  Numbers<Cell<T>> step;
  Numbers<Cell<T>> row;
};

template <class D>
[[gnu::always_inline]] inline void store_form(const Form<Cell<D>>& to, uint32_t first,
                                              const Numbers<Cell<D>>& base, const Numbers<Cell<D>>& step,
                                              const Numbers<Cell<D>>& row) {
  __builtin_memcpy(to.base + first, base.data(), sizeof base);
  __builtin_memcpy(to.step + first, step.data(), sizeof step);
  __builtin_memcpy(to.row + first, row.data(), sizeof row);
}

/// Bits above the low 32 are set if a lane's value leaves the range of T between the first and the last: it
/// is enough to look at the lanes at the corners of the warp.
template <class T>
[[gnu::always_inline]] inline uint64_t beyond_range(const Cell<T>* base, const Cell<T>* step,
                                                    const Cell<T>* row, int row_shift) {
  static_assert(sizeof(T) == 4);
  constexpr int kWarpShift = std::countr_zero(uint32_t{kLanes});
  uint64_t beyond = 0;
#pragma GCC unroll 1
  for (uint32_t n = 0; n < kWarpsTogether; ++n) {
    const int64_t first = int64_t{from_cell<T>(base[n])} - std::numeric_limits<T>::min();
    const int64_t one = static_cast<int32_t>(step[n]);
    const int64_t one_row = static_cast<int32_t>(row[n]);
    const int64_t along = (one << row_shift) - one;
    const int64_t down = (one_row << (kWarpShift - row_shift)) - one_row;
    beyond |= static_cast<uint64_t>(first + along) | static_cast<uint64_t>(first + down) |
              static_cast<uint64_t>(first + along + down);
  }
  return beyond;
}

/// The product of a step, which has a sign, and a factor.
template <class D, class A>
[[gnu::always_inline]] inline Cell<D> widened_step(Cell<A> step, Cell<A> factor) {
  return static_cast<Cell<D>>(int64_t{static_cast<int32_t>(step)} * int64_t{from_cell<A>(factor)});
}

/// a * b + c in twice the width, or without c, or a alone, where all but `a` or `b` are uniform.
template <class F, class D, class A, class... Rest>
[[gnu::always_inline]] inline bool widen_forms(const F f, const Form<Cell<D>>& to, const FormLayout& layout,
                                               bool exchanged, const Form<Cell<A>>& a,
                                               const Form<Cell<Rest>>&... rest) {
  constexpr size_t kOperands = 1 + sizeof...(Rest);
  const std::tuple<const Form<Cell<A>>&, const Form<Cell<Rest>>&...> all{a, rest...};
  const Form<Cell<A>>* factor = &a;
  const Form<Cell<A>>* varying = &a;
  if constexpr (kOperands > 1) (exchanged ? varying : factor) = &std::get<1>(all);
  const int row_shift = std::countr_zero(layout.row_lanes);
  for (uint32_t first = 0; first < layout.warps; first += kWarpsTogether) {
    if (beyond_range<A>(varying->base + first, varying->step + first, varying->row + first, row_shift) >> 32)
      return false;
    const auto base = numbers<Cell<D>>([&](uint32_t n) {
      return to_cell<D>(
          static_cast<D>(f(from_cell<A>(a.base[first + n]), from_cell<Rest>(rest.base[first + n])...)));
    });
    const auto steps = [&](Cell<A>* Form<Cell<A>>::* of, auto of_third) {
      return numbers<Cell<D>>([&](uint32_t n) {
        const Cell<A> narrow = (varying->*of)[first + n];
        if constexpr (kOperands == 1) return widened_step<D, A>(narrow, 1);
        const Cell<D> product = widened_step<D, A>(narrow, factor->base[first + n]);
        if constexpr (kOperands < 3) return product;
        if constexpr (kOperands == 3) return product + (std::get<2>(all).*of_third)[first + n];
      });
    };
    const auto along = steps(&Form<Cell<A>>::step, &Form<Cell<D>>::step);
    const auto down = steps(&Form<Cell<A>>::row, &Form<Cell<D>>::row);
    store_form<D>(to, first, base, along, down);
  }
  return true;
}

/// The form of a result whose operands have forms, not all uniform. False if it has none: nothing is written.
template <class F, class D, class A, class... Rest>
[[gnu::always_inline]] inline bool combine_forms(const F f, const Form<Cell<D>>& to, const FormLayout& layout,
                                                 const Form<Cell<A>>& a, const Form<Cell<Rest>>&... rest) {
  constexpr FormRule kRule = kRuleOf<F>;
  bool exchanged = false;
  if constexpr (sizeof...(Rest) > 0 && kRule != FormRule::Linear) {
    const uint32_t b = std::get<0>(std::tie(rest...)).state;
    exchanged = (b & kIsUniform) == 0;
    if (exchanged && (kRule == FormRule::Scaled || (a.state & kIsUniform) == 0)) return false;
  }
  if constexpr (kRule == FormRule::Widened) {
    return widen_forms<F, D, A, Rest...>(f, to, layout, exchanged, a, rest...);
  } else {
    for (uint32_t first = 0; first < layout.warps; first += kWarpsTogether) {
      const std::tuple all{FormNumbers<A>(a, first), FormNumbers<Rest>(rest, first)...};
      // Calls f on one of the numbers of each operand.
      const auto with = [&](auto&& number) {
        return [&]<size_t... n>(std::index_sequence<n...>) {
          return numbers<Cell<D>>([&](uint32_t w) {
            return to_cell<D>(static_cast<D>(
                f(from_cell<A>(number(std::integral_constant<size_t, 0>{}, std::get<0>(all))[w]),
                  from_cell<Rest>(
                      number(std::integral_constant<size_t, n + 1>{}, std::get<n + 1>(all))[w])...)));
          });
        }(std::index_sequence_for<Rest...>{});
      };
      const auto base = with([](auto, const auto& of) -> const auto& { return of.base; });
      if constexpr (kRule == FormRule::Offset) {
        store_form<D>(to, first, base, std::get<0>(all).step, std::get<0>(all).row);
      } else {
        const auto steps = [&](auto&& pick) {
          return with([&](auto operand, const auto& of) -> const auto& {
            constexpr size_t kOperand = decltype(operand)::value;
            const bool is_factor = kRule != FormRule::Linear && (exchanged ? kOperand == 0 : kOperand == 1);
            return is_factor ? of.base : pick(of);
          });
        };
        store_form<D>(to, first, base, steps([](const auto& of) -> const auto& { return of.step; }),
                      steps([](const auto& of) -> const auto& { return of.row; }));
      }
    }
    return true;
  }
}

/// Executes an instruction on operands that are all in forms; false, with nothing done, if it has to be done
/// lane by lane.
template <class F, class D, class... S>
[[gnu::always_inline]] inline bool map_forms(const F f, Warps& warps, const Step& step) {
  return [&]<size_t... n>(std::index_sequence<n...>) __attribute__((always_inline)) {
    const FormLayout& layout = warps.block.code.forms;
    const auto to = form_of<Cell<D>>(warps.registers, step.destination[0], layout);
    const std::tuple from{form_of<Cell<S>>(warps.registers, step.source[n], layout)...};
    const uint32_t states = (std::get<n>(from).state & ...);
    if ((states & kInForm) == 0) return false;
    if (states & kIsUniform) {
      for (uint32_t first = 0; first < layout.warps; first += kWarpsTogether)
        store_form<D>(
            to, first, numbers<Cell<D>>([&](uint32_t w) {
              return to_cell<D>(static_cast<D>(f(from_cell<S>(std::get<n>(from).base[first + w])...)));
            }),
            {}, {});
      to.state = kInForm | kOnlyForm | kIsUniform;
      return true;
    }
    if constexpr (kRuleOf<F> != FormRule::None && (std::is_integral_v<D> && ... && std::is_integral_v<S>) &&
                  sizeof(D) >= 4 && (... && (sizeof(S) >= 4))) {
      if (!combine_forms<F, D, S...>(f, to, layout, std::get<n>(from)...)) return false;
      to.state = kInForm | kOnlyForm;
      return true;
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
  const Code& code = warps.block.code;
  const auto write = [&](const Operand& operand) {
    put_in_lanes(warps, operand);
    drop_form(code, warps.registers, operand);
  };
  for (const Operand& operand : step.destination) write(operand);
  for (uint32_t n = 0; n < step.list_written; ++n) write(step.list[n]);
}

/// What one warp has computed for all is uniform.
inline void keep_uniform(const Warps& warps, const Step& step) {
  const Code& code = warps.block.code;
  const auto keep = [&](const Operand& operand) {
    if (operand.width != ptx::SlotWidth::Predicate) make_uniform(code, warps.registers, operand);
  };
  for (const Operand& operand : step.destination) keep(operand);
  for (uint32_t n = 0; n < step.list_written; ++n) keep(step.list[n]);
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
