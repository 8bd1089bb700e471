// The loop over the lanes of a warp, which exists once, for every instruction that computes lane by lane.
// Method: an instruction is a function of one lane's values; map<D, F, S...> makes the handler that applies
// it to all lanes of all warps of a group. Registers of up to 32 bits live in 32-bit cells, so every type of
// a size class is read alike. Compiled once per instruction set, each time in another namespace.

#pragma once

#include "base/ids.h"
#include "emulator/block/block.h"
#include "emulator/exec/cells.h"
#include "emulator/exec/form_math.h"

#include <array>
#include <bit>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace lanescope::emulator::LANESCOPE_VECTORS {

/// Steps through the copies of an operand, warp by warp.
template <class C>
class Cursor {
 public:
  [[gnu::always_inline]] Cursor(const Warps& warps, const Operand& operand)
      : at_(warps.registers + operand.offset + size_t{operand.stride} * warps.first),
        stride_(operand.stride) {}
  /// `stride`: bytes from one warp's values to the next one's.
  [[gnu::always_inline]] Cursor(std::byte* first, size_t stride) : at_(first), stride_(stride) {}
  /// From one warp of an array to the next.
  [[gnu::always_inline]] explicit Cursor(C (*lanes)[kLanes])
      : at_(reinterpret_cast<std::byte*>(lanes)), stride_(sizeof *lanes) {}
  [[gnu::always_inline]] C* here() const { return reinterpret_cast<C*>(at_); }
  [[gnu::always_inline]] void next() { at_ += stride_; }

 private:
  std::byte* at_;
  size_t stride_;
};

/// Steps through a source whose values have to be in lanes. Where all lanes have one value, only those of the
/// first warp are filled, and serve all warps.
template <class C>
[[gnu::always_inline]] inline Cursor<const C> cursor_of_source(const Warps& warps, const Step& step,
                                                               const Operand& operand) {
  if (warps.has_forms) {
    const bool is_constant = (form_of(warps.registers, operand).state & kIsConstant) != 0;
    if (is_constant && operand.offset != step.destination[0].offset) {
      put_in_first_warp(warps, operand);
      return Cursor<const C>(warps.registers + operand.offset, 0);
    }
    put_in_lanes(warps, operand);
  }
  return Cursor<const C>(warps, operand);
}

/// Masks of a step, warp by warp: lanes that are active and pass the guard.
class Masks {
 public:
  [[gnu::always_inline]] Masks(const Warps& warps, const Step& step)
      : active_(warps.active),
        guard_(warps, step.guard),
        flip_(step.guard_negated ? ~uint32_t{0} : 0),
        guarded_(step.guarded) {}
  [[gnu::always_inline]] uint32_t here() const {
    return guarded_ ? *active_ & (*guard_.here() ^ flip_) : *active_;
  }
  [[gnu::always_inline]] void next() {
    ++active_;
    guard_.next();
  }

 private:
  const uint32_t* active_;
  Cursor<uint32_t> guard_;
  uint32_t flip_;
  bool guarded_;
};

/// Object of function class F. A function that depends on more than its operands is constructed from the
/// step.
template <class F>
[[gnu::always_inline]] inline F function_of(const Step& step) {
  if constexpr (std::is_constructible_v<F, const Step&>) {
    return F(step);
  } else {
    return F{};
  }
}

template <class F, class D, class... S>
[[gnu::always_inline]] inline void apply(const F f, Cell<D>* to, const Cell<S>*... from) {
#pragma GCC ivdep
  for (int lane = 0; lane < kLanes; ++lane)
    to[lane] = to_cell<D>(static_cast<D>(f(from_cell<S>(from[lane])...)));
}

/// Writes `values`, [n-th warp][lane], to the destination in the lanes that execute the step.
template <class C>
[[gnu::noinline]] void merge(const Warps& warps, const Step& step, const C (*values)[kLanes]) {
  Cursor<C> to(warps, step.destination[0]);
  Masks masks(warps, step);
  for (uint32_t warp = 0; warp < warps.count; ++warp, to.next(), masks.next()) {
    const uint32_t mask = masks.here();
    C* const here = to.here();
#pragma GCC ivdep
    for (int lane = 0; lane < kLanes; ++lane) here[lane] = mask >> lane & 1 ? values[warp][lane] : here[lane];
  }
}

/// Executes an instruction on registers that are not all in forms known from the last time. Where not all
/// lanes take part, the values of all are computed into an array first, so that the loop exists once.
template <class F, class D, class... S>
[[gnu::noinline]] void map_lanes(Warps& warps, const Step& step) {
  [&]<size_t... n>(std::index_sequence<n...>) __attribute__((always_inline)) {
    const F f = function_of<F>(step);
    const bool whole = may_write_all(warps, step);
    if (warps.has_forms) {
      if (whole && map_forms<F, D, S...>(f, warps, step)) return;
    }
    // Braces: in this order, before the form of the destination is dropped, which may also be a source.
    std::tuple from{cursor_of_source<Cell<S>>(warps, step, step.source[n])...};
    if (warps.has_forms) {
      if (!whole) put_in_lanes(warps, step.destination[0]);
      drop_form(warps.registers, step.destination[0]);
    }
    alignas(kVectorBytes) Cell<D> values[SpreadNumbers::kMostWarps][kLanes];
    const bool direct = whole || (has_all_lanes(warps) && !step.guarded);
    Cursor<Cell<D>> to = direct ? Cursor<Cell<D>>(warps, step.destination[0]) : Cursor<Cell<D>>(values);
    for (uint32_t warp = 0; warp < warps.count; ++warp) {
      apply<F, D, S...>(f, to.here(), std::get<n>(from).here()...);
      to.next();
      (std::get<n>(from).next(), ...);
    }
    if (!direct) merge<Cell<D>>(warps, step, values);
  }(std::index_sequence_for<S...>{});
}

/// Executes an instruction with one destination: F gives a D from the S.
template <class F, class D, class... S>
void map_warps(Warps& warps, const Step& step) {
  const bool is_done = [&]<size_t... n>(std::index_sequence<n...>) __attribute__((always_inline)) {
    return warps.has_forms && may_write_all(warps, step) &&
           repeat_form<F, D, S...>(function_of<F>(step), warps.block.spreads, step.index,
                                   form_of(warps.registers, step.destination[0]),
                                   {&form_of(warps.registers, step.source[n])...});
  }(std::index_sequence_for<S...>{});
  if (!is_done) map_lanes<F, D, S...>(warps, step);
}

/// The handler of an instruction with one destination.
template <class F, class D, class... S>
inline constexpr Handler map{map_warps<F, D, S...>, true};

/// True if the result may be a predicate that all threads share: may_write_all(), and the group has all warps
/// of the block.
[[gnu::always_inline]] inline bool may_be_truth(const Warps& warps, const Step& step) {
  return warps.has_forms && may_write_all(warps, step);
}
/// Sets a predicate to `truth` in all threads: 0 or all ones.
[[gnu::always_inline]] inline void set_truth(const Warps& warps, const Operand& to, uint32_t truth) {
  constexpr uint32_t kAtOnce = 8;  // masks, of which there is always room for a multiple
  form_of(warps.registers, to) = {kInForm | kIsUniform | kIsConstant, truth, &kConstantSpread};
  std::byte* at = warps.registers + to.offset;
  for (uint32_t n = 0; n < warps.count; n += kAtOnce, at += sizeof(uint32_t) * kAtOnce) {
    uint32_t masks[kAtOnce];
    for (uint32_t& mask : masks) mask = truth;
    __builtin_memcpy(at, masks, sizeof masks);
  }
}
/// Discards the form of the first destination, a predicate whose masks are written one by one.
[[gnu::always_inline]] inline void drop_truth(Warps& warps, const Step& step) {
  if (warps.has_forms) drop_form(warps.registers, step.destination[0]);
}

/// Calls f(mask, n) for each warp of the group, n counting from 0: for what is not done lane by lane.
template <class F>
[[gnu::always_inline]] inline void for_each_warp(Warps& warps, const Step& step, F&& f) {
  Masks masks(warps, step);
  for (uint32_t n = 0; n < warps.count; ++n, masks.next()) f(masks.here(), n);
}

/// The operand of the n-th warp of the group.
template <class C>
[[gnu::always_inline]] inline C* cells(const Warps& warps, const Operand& operand, uint32_t n) {
  return reinterpret_cast<C*>(warps.registers + operand.offset + size_t{operand.stride} * (warps.first + n));
}

/// True if a vector register, of any element type, has no bit set.
template <class V>
[[gnu::always_inline]] inline bool is_zero(V vector) {
  static_assert(sizeof(V) == kVectorBytes);
#if defined(__AVX512F__)
  const auto bits = __builtin_bit_cast(__m512i, vector);
  return _mm512_test_epi64_mask(bits, bits) == 0;
#elif defined(__AVX2__)
  const auto bits = __builtin_bit_cast(__m256i, vector);
  return _mm256_testz_si256(bits, bits) != 0;
#else
  const auto halves = __builtin_bit_cast(std::array<uint64_t, 2>, vector);
  return (halves[0] | halves[1]) == 0;
#endif
}

/// Packs 32 truth values, each 0 or 1, into a mask.
[[gnu::always_inline]] inline uint32_t pack(const std::array<uint8_t, kLanes>& truths) {
#ifdef __AVX2__
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(truths.data()));
  return static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(bytes, 7)));
#else
  uint32_t mask = 0;
  for (size_t part = 0; part < 4; ++part) {
    uint64_t eight = 0;
    __builtin_memcpy(&eight, truths.data() + 8 * part, sizeof eight);
    // Each byte's lowest bit moves to its own place in the top byte.
    mask |= static_cast<uint32_t>(eight * 0x0102040810204080u >> 56) << 8 * part;
  }
  return mask;
#endif
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
