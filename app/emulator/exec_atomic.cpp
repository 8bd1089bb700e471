// Atomics and reductions on global and shared memory. Lanes of a warp go one after the other, in rising
// order; where all of them reduce integers into one place and nobody reads what was there, they are one
// update. Global memory is updated with the CPU's own atomics if blocks run at the same time; a block's
// shared memory belongs to one thread of the CPU. Source: PTX ISA, "Parallel Synchronization: atom, red".
// Tests: tests/unit/emulator/atomic_test.cpp

#include "emulator/access.h"
#include "emulator/exec.h"
#include "emulator/half.h"

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

struct Add {
  template <class T>
  constexpr T operator()(T old, T b, T) const {
    if constexpr (std::is_floating_point_v<T>)
      return old + b;
    else
      return static_cast<T>(Modular<T>(old) + Modular<T>(b));
  }
};
struct Minimum {
  template <class T>
  constexpr T operator()(T old, T b, T) const {
    return b < old ? b : old;
  }
};
struct Maximum {
  template <class T>
  constexpr T operator()(T old, T b, T) const {
    return old < b ? b : old;
  }
};
struct And {
  template <class T>
  constexpr T operator()(T old, T b, T) const {
    return old & b;
  }
};
struct Or {
  template <class T>
  constexpr T operator()(T old, T b, T) const {
    return old | b;
  }
};
struct Xor {
  template <class T>
  constexpr T operator()(T old, T b, T) const {
    return old ^ b;
  }
};
struct Exchange {
  template <class T>
  constexpr T operator()(T, T b, T) const {
    return b;
  }
};
struct CompareAndSwap {
  template <class T>
  constexpr T operator()(T old, T b, T c) const {
    return old == b ? c : old;
  }
};
struct Increment {  // back to 0 behind b
  template <class T>
  constexpr T operator()(T old, T b, T) const {
    return old >= b ? 0 : old + 1;
  }
};
struct Decrement {  // back to b below 0
  template <class T>
  constexpr T operator()(T old, T b, T) const {
    return old == 0 || old > b ? b : old - 1;
  }
};

/// Halves and pairs of them, as bits.
template <class F, class Format>
struct OnHalf {
  static uint16_t apply(uint16_t old, uint16_t b) {
    const float value = F{}(widen(Format{old}), widen(Format{b}), 0.0f);
    if constexpr (std::is_same_v<Format, Half>) {
      return to_half(value).bits;
    } else {
      return to_bfloat(value).bits;
    }
  }
  uint16_t operator()(uint16_t old, uint16_t b, uint16_t) const { return apply(old, b); }
};
template <class F, class Format>
struct OnPair {
  uint32_t operator()(uint32_t old, uint32_t b, uint32_t) const {
    const auto high = [](uint32_t pair) { return static_cast<uint16_t>(pair >> 16); };
    using Each = OnHalf<F, Format>;
    return uint32_t{Each::apply(high(old), high(b))} << 16 |
           Each::apply(static_cast<uint16_t>(old), static_cast<uint16_t>(b));
  }
};
/// A number wins against a NaN.
template <class F>
struct NumberOf {
  float operator()(float old, float b, float) const {
    if (__builtin_isnan(old)) return b;
    if (__builtin_isnan(b)) return old;
    return F{}(old, b, 0.0f);
  }
};

/// A sum of f32 in global memory takes and gives no subnormals; in shared memory it does.
inline float flushed(float value) {
  return __builtin_fabsf(value) < 0x1p-126f ? __builtin_copysignf(0.0f, value) : value;
}
inline float canonical(float value) {
  return !__builtin_isnan(value) ? value : __builtin_bit_cast(float, 0x7fffffffu);
}

template <class F, class T>
[[gnu::always_inline]] inline T combined(T old, T b, T c, bool is_global) {
  if constexpr (std::is_same_v<F, Add> && std::is_same_v<T, float>) {
    if (is_global) return canonical(flushed(flushed(old) + flushed(b)));
    return canonical(old + b);
  } else {
    return F{}(old, b, c);
  }
}

/// Whether the updates of several lanes can be put together before the place is updated.
template <class F, class T>
inline constexpr bool kJoins =
    std::is_integral_v<T> &&
    (std::is_same_v<F, Add> || std::is_same_v<F, Minimum> || std::is_same_v<F, Maximum> ||
     std::is_same_v<F, And> || std::is_same_v<F, Or> || std::is_same_v<F, Xor>);

/// Replaces the value at `at` by f(value, b, c); returns what was there.
template <class F, class T>
[[gnu::always_inline]] inline Cell<T> update(uintptr_t at, const Target& target, Cell<T> b, Cell<T> c) {
  using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, Cell<T>>;
  auto* const place = reinterpret_cast<Bits*>(at);
  const auto next = [&](Bits old) {
    return static_cast<Bits>(
        to_cell<T>(combined<F, T>(from_cell<T>(old), from_cell<T>(b), from_cell<T>(c), target.is_global)));
  };
  if constexpr (std::is_same_v<F, Add> && std::is_integral_v<T>) {
    if (target.others_see_it) return __atomic_fetch_add(place, static_cast<Bits>(b), __ATOMIC_SEQ_CST);
  }
  Bits old = __atomic_load_n(place, __ATOMIC_RELAXED);
  if (!target.others_see_it) {
    __atomic_store_n(place, next(old), __ATOMIC_RELAXED);
    return old;
  }
  while (!__atomic_compare_exchange_n(place, &old, next(old), false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  return old;
}

template <class F, class T>
struct Atomic {
  static constexpr bool kWholeWarps = false;
  static uint32_t bytes(const Step&) { return sizeof(T); }

  static void collect(const Warps& warps, const Step& step, const Addresses& addresses, const Target&,
                      uint32_t n, std::byte* values) {
    const auto* b = cells<const Cell<T>>(warps, step.source[1], n);
    for_each_lane({addresses.mask}, [&](int l) {
      std::memcpy(values, b + l, sizeof(T));
      values += sizeof(T);
    });
  }
  static void move(const Warps& warps, const Step& step, const Addresses& addresses, const Target& target,
                   uint32_t n) {
    const auto* b = cells<const Cell<T>>(warps, step.source[1], n);
    const auto* c = cells<const Cell<T>>(warps, step.source[2], n);
    auto* to = cells<Cell<T>>(warps, step.destination[0], n);
    if constexpr (kJoins<F, T>) {
      const bool one_place = addresses.affine && addresses.stride == 0 && target.lane_pitch == 0;
      if (one_place && step.kind == trace::Kind::Reduction) {
        const int first = std::countr_zero(addresses.mask);
        T all = from_cell<T>(b[first]);
        for_each_lane({addresses.mask & (addresses.mask - 1)},
                      [&](int l) { all = F{}(all, from_cell<T>(b[l]), T{}); });
        update<F, T>(target.data + addresses.base, target, to_cell<T>(all), Cell<T>{0});
        return;
      }
    }
    for_each_pointer(addresses, target, [&](int l, uintptr_t at) {
      const Cell<T> old = update<F, T>(at, target, b[l], c[l]);
      if (step.kind == trace::Kind::Atomic) to[l] = old;
    });
  }
};

/// Several neighbours in one instruction: each on its own is atomic, all together are not.
template <class F, class T>
struct VectorAtomic {
  static constexpr bool kWholeWarps = false;
  static uint32_t elements(const Step& step) { return uint32_t{step.list_size} - step.list_written; }
  static uint32_t bytes(const Step& step) { return static_cast<uint32_t>(sizeof(T)) * elements(step); }
  static const Cell<T>* operand(const Warps& warps, const Step& step, uint32_t element, uint32_t n) {
    return cells<const Cell<T>>(warps, step.list[step.list_written + element], n);
  }

  static void collect(const Warps& warps, const Step& step, const Addresses& addresses, const Target&,
                      uint32_t n, std::byte* values) {
    for_each_lane({addresses.mask}, [&](int l) {
      for (uint32_t element = 0; element < elements(step); ++element) {
        std::memcpy(values, operand(warps, step, element, n) + l, sizeof(T));
        values += sizeof(T);
      }
    });
  }
  static void move(const Warps& warps, const Step& step, const Addresses& addresses, const Target& target,
                   uint32_t n) {
    for_each_pointer(addresses, target, [&](int l, uintptr_t at) {
      for (uint32_t element = 0; element < elements(step); ++element) {
        const Cell<T> old =
            update<F, T>(at + element * sizeof(T), target, operand(warps, step, element, n)[l], Cell<T>{0});
        if (step.list_written != 0) cells<Cell<T>>(warps, step.list[element], n)[l] = old;
      }
    });
  }
};

template <class F, class T>
constexpr Handler kAtomic = access_memory<Atomic<F, T>>;

template <class F>
Handler on_halves(const ptx::Step& step) {
  const bool is_vector = step.list_size != 0;
  switch (step.type) {
    case ptx::Type::f16:
      return is_vector ? access_memory<VectorAtomic<OnHalf<F, Half>, uint16_t>>
                       : kAtomic<OnHalf<F, Half>, uint16_t>;
    case ptx::Type::bf16:
      return is_vector ? access_memory<VectorAtomic<OnHalf<F, Bfloat>, uint16_t>>
                       : kAtomic<OnHalf<F, Bfloat>, uint16_t>;
    case ptx::Type::f16x2:
      return is_vector ? access_memory<VectorAtomic<OnPair<F, Half>, uint32_t>>
                       : kAtomic<OnPair<F, Half>, uint32_t>;
    case ptx::Type::bf16x2:
      return is_vector ? access_memory<VectorAtomic<OnPair<F, Bfloat>, uint32_t>>
                       : kAtomic<OnPair<F, Bfloat>, uint32_t>;
    default:
      return nullptr;
  }
}

template <class F>
Handler on_integers(ptx::Type type) {
  switch (type) {
    case ptx::Type::u32:
    case ptx::Type::b32:
      return kAtomic<F, uint32_t>;
    case ptx::Type::s32:
      return kAtomic<F, int32_t>;
    case ptx::Type::u64:
    case ptx::Type::b64:
      return kAtomic<F, uint64_t>;
    case ptx::Type::s64:
      return kAtomic<F, int64_t>;
    default:
      return nullptr;
  }
}

template <class F>
Handler on_bits(ptx::Type type) {
  switch (ptx::size_bytes(type)) {
    case 2:
      return kAtomic<F, uint16_t>;
    case 4:
      return kAtomic<F, uint32_t>;
    case 8:
      return kAtomic<F, uint64_t>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler atomic_handler(const ptx::Program& program, const ptx::Step& step) {
  if (step.op != ptx::Op::atom && step.op != ptx::Op::red) return nullptr;
  const ptx::Type type = step.type;
  const ptx::AtomicOperation operation = program.modifiers[step.modifiers].atomic;
  if (ptx::is_half(type)) {
    if (operation == ptx::AtomicOperation::Add) return on_halves<Add>(step);
    if (operation == ptx::AtomicOperation::Min) return on_halves<NumberOf<Minimum>>(step);
    if (operation == ptx::AtomicOperation::Max) return on_halves<NumberOf<Maximum>>(step);
    return nullptr;
  }
  if (step.list_size != 0) {
    const bool adds = operation == ptx::AtomicOperation::Add && type == ptx::Type::f32;
    return adds ? access_memory<VectorAtomic<Add, float>> : nullptr;
  }
  switch (operation) {
    case ptx::AtomicOperation::Add:
      if (type == ptx::Type::f32) return kAtomic<Add, float>;
      if (type == ptx::Type::f64) return kAtomic<Add, double>;
      return on_integers<Add>(type);
    case ptx::AtomicOperation::Min:
      return on_integers<Minimum>(type);
    case ptx::AtomicOperation::Max:
      return on_integers<Maximum>(type);
    case ptx::AtomicOperation::And:
      return on_bits<And>(type);
    case ptx::AtomicOperation::Or:
      return on_bits<Or>(type);
    case ptx::AtomicOperation::Xor:
      return on_bits<Xor>(type);
    case ptx::AtomicOperation::Exch:
      return on_bits<Exchange>(type);
    case ptx::AtomicOperation::Cas:
      return on_bits<CompareAndSwap>(type);
    case ptx::AtomicOperation::Inc:
      return type == ptx::Type::u32 ? kAtomic<Increment, uint32_t> : nullptr;
    case ptx::AtomicOperation::Dec:
      return type == ptx::Type::u32 ? kAtomic<Decrement, uint32_t> : nullptr;
    case ptx::AtomicOperation::None:
      return nullptr;
  }
  return nullptr;
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
