// Logic, shifts and bit fields. Source: PTX ISA, "Logic and Shift Instructions", "Integer Arithmetic
// Instructions", "Data Movement: prmt". Tests: tests/unit/emulator/bits_test.cpp

#include "emulator/exec/arithmetic.h"
#include "emulator/exec/executor.h"

#include <algorithm>

namespace lanescope::emulator::LANESCOPE_VECTORS {
namespace {

struct Not {
  template <class T>
  constexpr T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct LogicalNot {
  template <class T>
  constexpr T operator()(T a) const {
    return a == 0 ? 1 : 0;
  }
};

/// lop3: the n-th bit of the table is the result where a, b, c are the bits of n, a the highest.
struct Lookup3 {
  explicit Lookup3(const Step& step) {
    for (uint32_t n = 0; n < 8; ++n) table[n] = step.immediate >> n & 1 ? ~uint32_t{0} : 0;
  }
  constexpr uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    const uint32_t high =
        (b & ((c & table[7]) | (~c & table[6]))) | (~b & ((c & table[5]) | (~c & table[4])));
    const uint32_t low = (b & ((c & table[3]) | (~c & table[2]))) | (~b & ((c & table[1]) | (~c & table[0])));
    return (a & high) | (~a & low);
  }
  uint32_t table[8];
};

/// lop3 with a predicate: whether any bit of the result is set, combined with another predicate.
template <ptx::Combination combination>
void lookup_and_test(Warps& warps, const Step& step) {
  const Lookup3 lookup(step);
  const uint32_t flip = step.negated & 8 ? ~uint32_t{0} : 0;
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t n) {
    const auto* a = cells<const uint32_t>(warps, step.source[0], n);
    const auto* b = cells<const uint32_t>(warps, step.source[1], n);
    const auto* c = cells<const uint32_t>(warps, step.source[2], n);
    const uint32_t with = *cells<const uint32_t>(warps, step.source[3], n) ^ flip;
    auto* to = cells<uint32_t>(warps, step.destination[0], n);
    uint32_t set = 0;
    for_each_lane({mask}, [&](int lane) {
      to[lane] = lookup(a[lane], b[lane], c[lane]);
      set |= uint32_t{to[lane] != 0} << lane;
    });
    constexpr bool kBoth = combination == ptx::Combination::And;
    write_predicate(*cells<uint32_t>(warps, step.destination[1], n), mask, false,
                    kBoth ? set & with : set | with);
  });
}

/// fns: the place of the c-th set bit of a, upwards from bit b, or downwards if c is negative.
struct FindNthSet {
  constexpr uint32_t operator()(uint32_t a, uint32_t b, int32_t c) const {
    if (b > 31) return ~uint32_t{0};
    if (c == 0) return a >> b & 1 ? b : ~uint32_t{0};
    const int step = c > 0 ? 1 : -1;
    int left = c > 0 ? c : c == INT32_MIN ? INT32_MAX : -c;
    for (int at = static_cast<int>(b); at >= 0 && at < 32; at += step) {
      if ((a >> at & 1) != 0 && --left == 0) return static_cast<uint32_t>(at);
    }
    return ~uint32_t{0};
  }
};

/// szext: the lowest b bits of a, extended with their sign or with zeros.
template <ptx::ShiftMode mode>
struct ExtendFrom {
  template <class T>
  constexpr T operator()(T a, uint32_t b) const {
    if constexpr (mode == ptx::ShiftMode::Wrap) b &= 31;
    if (b == 0) return 0;
    if (b >= 32) return a;
    const uint32_t up = static_cast<uint32_t>(a) << (32 - b);
    return static_cast<T>(static_cast<T>(up) >> (32 - b));
  }
};

/// Shifts by the width and more leave nothing, or the sign.
struct ShiftLeft {
  static constexpr FormRule rule = FormRule::Scaled;
  template <class T>
  constexpr T operator()(T a, uint32_t amount) const {
    constexpr uint32_t kBits = 8 * sizeof(T);
    return amount < kBits ? static_cast<T>(Modular<T>(a) << (amount % kBits)) : T{0};
  }
};
struct ShiftRight {
  template <class T>
  constexpr T operator()(T a, uint32_t amount) const {
    constexpr uint32_t kBits = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(a >> (amount < kBits ? amount : kBits - 1));
    } else {
      return amount < kBits ? static_cast<T>(a >> (amount % kBits)) : T{0};
    }
  }
};

/// shf: 32 bits of (high:low), shifted. Wrap takes the amount modulo 32.
template <ptx::FunnelDirection direction, ptx::ShiftMode mode>
struct FunnelShift {
  constexpr uint32_t operator()(uint32_t low, uint32_t high, uint32_t amount) const {
    const uint32_t n = mode == ptx::ShiftMode::Wrap ? amount & 31 : amount < 32 ? amount : 32;
    const uint64_t both = uint64_t{high} << 32 | low;
    if constexpr (direction == ptx::FunnelDirection::Left) return static_cast<uint32_t>(both << n >> 32);
    return static_cast<uint32_t>(both >> n);
  }
};

struct CountOnes {
  template <class T>
  constexpr uint32_t operator()(T a) const {
    return static_cast<uint32_t>(sizeof(T) == 8 ? __builtin_popcountll(a)
                                                : __builtin_popcount(static_cast<uint32_t>(a)));
  }
};
template <class T>
constexpr uint32_t leading_zeros(T a) {
  return static_cast<uint32_t>(std::countl_zero(a));
}
struct LeadingZeros {
  template <class T>
  constexpr uint32_t operator()(T a) const {
    return leading_zeros(a);
  }
};
/// bfind: place of the highest bit that is not a sign; all ones if there is none.
template <bool as_shift_amount>
struct HighestBit {
  template <class T>
  constexpr uint32_t operator()(T a) const {
    using Bits = std::make_unsigned_t<T>;
    const Bits bits = static_cast<Bits>(a < 0 ? ~a : a);
    if (bits == 0) return 0xffffffff;
    const uint32_t zeros = leading_zeros(bits);
    return as_shift_amount ? zeros : 8 * static_cast<uint32_t>(sizeof(T)) - 1 - zeros;
  }
};
struct Reverse {
  template <class T>
  constexpr T operator()(T a) const {
    T reversed = 0;
    for (size_t n = 0; n < 8 * sizeof(T); ++n)
      reversed = static_cast<T>(reversed | (a >> n & 1) << (8 * sizeof(T) - 1 - n));
    return reversed;
  }
};

/// bfe: `length` bits from `position`; beyond the end, and above the field, zeros or the field's sign.
struct ExtractField {
  template <class T>
  constexpr T operator()(T a, uint32_t position, uint32_t length) const {
    using Bits = std::make_unsigned_t<T>;
    constexpr uint32_t kTop = 8 * sizeof(T) - 1;
    position &= 0xff;
    length &= 0xff;
    if (length == 0) return 0;
    const uint32_t sign_at = position + length - 1 < kTop ? position + length - 1 : kTop;
    const bool negative = std::is_signed_v<T> && (static_cast<Bits>(a) >> sign_at & 1);
    const Bits field = position > kTop ? (negative ? static_cast<Bits>(~Bits{0}) : Bits{0})
                                       : static_cast<Bits>(a >> position);
    if (length > kTop) return static_cast<T>(field);
    const Bits mask = static_cast<Bits>((Bits{1} << length) - 1);
    return static_cast<T>(negative ? field | static_cast<Bits>(~mask) : field & mask);
  }
};
/// bfi: b with `length` bits from `position` replaced by the low bits of a.
struct InsertField {
  template <class T>
  constexpr T operator()(T a, T b, uint32_t position, uint32_t length) const {
    constexpr uint32_t kBits = 8 * sizeof(T);
    position &= 0xff;
    length &= 0xff;
    if (length == 0 || position >= kBits) return b;
    const T ones = length >= kBits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    return static_cast<T>((b & static_cast<T>(~(ones << position))) | (a & ones) << position);
  }
};

/// bmsk: b ones from position a.
template <ptx::ShiftMode mode>
struct BitMask {
  constexpr uint32_t operator()(uint32_t a, uint32_t b) const {
    if constexpr (mode == ptx::ShiftMode::Wrap) {
      a &= 31;
      b &= 31;
    }
    if (a >= 32 || b == 0) return 0;
    const uint32_t ones = b >= 32 ? ~uint32_t{0} : (uint32_t{1} << b) - 1;
    return ones << a;
  }
};

/// prmt: each nibble of the selector chooses a byte of (b:a); its top bit spreads that byte's sign instead.
struct PermuteBytes {
  constexpr uint32_t operator()(uint32_t a, uint32_t b, uint32_t selector) const {
    const uint64_t bytes = uint64_t{b} << 32 | a;
    uint32_t result = 0;
    for (uint32_t n = 0; n < 4; ++n) {
      const uint32_t choice = selector >> 4 * n & 0xf;
      uint32_t byte = static_cast<uint32_t>(bytes >> 8 * (choice & 7)) & 0xff;
      if (choice & 8) byte = byte & 0x80 ? 0xff : 0;
      result |= byte << 8 * n;
    }
    return result;
  }
};
/// prmt with a mode: the selector's low two bits choose one of four fixed patterns.
template <ptx::PermuteMode mode>
struct PermutePattern {
  constexpr uint32_t operator()(uint32_t a, uint32_t b, uint32_t selector) const {
    return PermuteBytes{}(a, b, pattern(selector & 3));
  }
  /// The general selector that does the same; the ISA has a table of them.
  static constexpr uint32_t pattern(uint32_t n) {
    switch (mode) {
      case ptx::PermuteMode::Forward4Extract:
        return 0x3210 + n * 0x1111;
      case ptx::PermuteMode::Backward4Extract:
        return (0x5670 + n * 0x1111) & 0x7777;
      case ptx::PermuteMode::Replicate8:
        return n * 0x1111;
      case ptx::PermuteMode::EdgeClampLeft:
        return n == 0 ? 0x3210 : n == 1 ? 0x3211 : n == 2 ? 0x3222 : 0x3333;
      case ptx::PermuteMode::EdgeClampRight:
        return n == 0 ? 0x0000 : n == 1 ? 0x1110 : n == 2 ? 0x2210 : 0x3210;
      case ptx::PermuteMode::Replicate16:
        return n % 2 == 0 ? 0x1010 : 0x3232;
      case ptx::PermuteMode::None:
        break;
    }
    return 0;
  }
};

Handler permute(ptx::PermuteMode mode) {
  switch (mode) {
    case ptx::PermuteMode::None:
      return same_type<PermuteBytes, uint32_t, 3>();
    case ptx::PermuteMode::Forward4Extract:
      return same_type<PermutePattern<ptx::PermuteMode::Forward4Extract>, uint32_t, 3>();
    case ptx::PermuteMode::Backward4Extract:
      return same_type<PermutePattern<ptx::PermuteMode::Backward4Extract>, uint32_t, 3>();
    case ptx::PermuteMode::Replicate8:
      return same_type<PermutePattern<ptx::PermuteMode::Replicate8>, uint32_t, 3>();
    case ptx::PermuteMode::EdgeClampLeft:
      return same_type<PermutePattern<ptx::PermuteMode::EdgeClampLeft>, uint32_t, 3>();
    case ptx::PermuteMode::EdgeClampRight:
      return same_type<PermutePattern<ptx::PermuteMode::EdgeClampRight>, uint32_t, 3>();
    case ptx::PermuteMode::Replicate16:
      return same_type<PermutePattern<ptx::PermuteMode::Replicate16>, uint32_t, 3>();
  }
  return nullptr;
}

template <class F>
[[gnu::noinline]] void map_masks(Warps& warps, const Step& step) {
  drop_truth(warps, step);
  const bool whole = may_write_all(warps, step);
  const uint32_t flip_a = step.negated & 1 ? ~uint32_t{0} : 0;
  const uint32_t flip_b = step.negated & 2 ? ~uint32_t{0} : 0;
  Cursor<const uint32_t> a(warps, step.source[0]);
  Cursor<const uint32_t> b(warps, step.source[1]);
  Cursor<uint32_t> to(warps, step.destination[0]);
  const auto value = [&] {
    if constexpr (std::is_same_v<F, Not>) {
      return ~(*a.here() ^ flip_a);
    } else {
      return uint32_t{F{}(*a.here() ^ flip_a, *b.here() ^ flip_b)};
    }
  };
  const auto next = [&] {
    a.next();
    b.next();
    to.next();
  };
  if (whole) {
    for (uint32_t n = 0; n < warps.count; ++n, next()) *to.here() = value();
    return;
  }
  for_each_warp(warps, step, [&](uint32_t mask, uint32_t) {
    write_predicate(*to.here(), mask, false, value());
    next();
  });
}

template <class F>
void map_predicates(Warps& warps, const Step& step) {
  constexpr bool kIsNot = std::is_same_v<F, Not>;
  if (may_be_truth(warps, step) && has_truth(warps.registers, step.source[0]) &&
      (kIsNot || has_truth(warps.registers, step.source[1]))) {
    const uint32_t a = truth_of(warps.registers, step.source[0]) ^ (step.negated & 1 ? ~uint32_t{0} : 0);
    if constexpr (kIsNot) {
      set_truth(warps, step.destination[0], ~a);
    } else {
      const uint32_t b = truth_of(warps.registers, step.source[1]) ^ (step.negated & 2 ? ~uint32_t{0} : 0);
      set_truth(warps, step.destination[0], F{}(a, b));
    }
    return;
  }
  map_masks<F>(warps, step);
}

template <class F, int arity>
Handler logic(ptx::Type type) {
  return type == ptx::Type::pred ? Handler(map_predicates<F>, true) : by_size<F, arity>(type);
}

template <class F>
Handler shift(ptx::Type type) {
  switch (type) {
    case ptx::Type::s16:
      return map<F, int16_t, int16_t, uint32_t>;
    case ptx::Type::s32:
      return map<F, int32_t, int32_t, uint32_t>;
    case ptx::Type::s64:
      return map<F, int64_t, int64_t, uint32_t>;
    case ptx::Type::b16:
    case ptx::Type::u16:
      return map<F, uint16_t, uint16_t, uint32_t>;
    case ptx::Type::b32:
    case ptx::Type::u32:
      return map<F, uint32_t, uint32_t, uint32_t>;
    case ptx::Type::b64:
    case ptx::Type::u64:
      return map<F, uint64_t, uint64_t, uint32_t>;
    default:
      return nullptr;
  }
}

template <ptx::FunnelDirection direction>
Handler funnel_shift(ptx::ShiftMode mode) {
  return mode == ptx::ShiftMode::Wrap
             ? same_type<FunnelShift<direction, ptx::ShiftMode::Wrap>, uint32_t, 3>()
             : same_type<FunnelShift<direction, ptx::ShiftMode::Clamp>, uint32_t, 3>();
}

/// Instructions whose result is a u32 whatever the type.
template <class F>
Handler counting(ptx::Type type) {
  switch (type) {
    case ptx::Type::s32:
      return map<F, uint32_t, int32_t>;
    case ptx::Type::s64:
      return map<F, uint32_t, int64_t>;
    default:
      return ptx::size_bytes(type) == 8 ? map<F, uint32_t, uint64_t> : map<F, uint32_t, uint32_t>;
  }
}
template <class F>
Handler counting_bits(ptx::Type type) {
  return ptx::size_bytes(type) == 8 ? map<F, uint32_t, uint64_t> : map<F, uint32_t, uint32_t>;
}

template <ptx::ShiftMode mode>
Handler extend_from(ptx::Type type) {
  return type == ptx::Type::s32 ? map<ExtendFrom<mode>, int32_t, int32_t, uint32_t>
                                : map<ExtendFrom<mode>, uint32_t, uint32_t, uint32_t>;
}

Handler extract_field(ptx::Type type) {
  switch (type) {
    case ptx::Type::s32:
      return map<ExtractField, int32_t, int32_t, uint32_t, uint32_t>;
    case ptx::Type::s64:
      return map<ExtractField, int64_t, int64_t, uint32_t, uint32_t>;
    case ptx::Type::u64:
      return map<ExtractField, uint64_t, uint64_t, uint32_t, uint32_t>;
    default:
      return map<ExtractField, uint32_t, uint32_t, uint32_t, uint32_t>;
  }
}

}  // namespace

Handler bits_handler(const ptx::Program& program, const ptx::Step& step) {
  const ptx::Modifiers& modifiers = program.modifiers[step.modifiers];
  const bool wide = ptx::size_bytes(step.type) == 8;
  switch (step.op) {
    case ptx::Op::and_:
      return logic<And, 2>(step.type);
    case ptx::Op::or_:
      return logic<Or, 2>(step.type);
    case ptx::Op::xor_:
      return logic<Xor, 2>(step.type);
    case ptx::Op::not_:
      return logic<Not, 1>(step.type);
    case ptx::Op::cnot:
      return by_size<LogicalNot, 1>(step.type);
    case ptx::Op::lop3:
      if (modifiers.combination == ptx::Combination::And) return lookup_and_test<ptx::Combination::And>;
      if (modifiers.combination == ptx::Combination::Or) return lookup_and_test<ptx::Combination::Or>;
      return modifiers.combination == ptx::Combination::None ? same_type<Lookup3, uint32_t, 3>() : nullptr;
    case ptx::Op::fns:
      return map<FindNthSet, uint32_t, uint32_t, uint32_t, int32_t>;
    case ptx::Op::szext:
      return modifiers.shift == ptx::ShiftMode::Wrap ? extend_from<ptx::ShiftMode::Wrap>(step.type)
                                                     : extend_from<ptx::ShiftMode::Clamp>(step.type);
    case ptx::Op::shl:
      return shift<ShiftLeft>(step.type);
    case ptx::Op::shr:
      return shift<ShiftRight>(step.type);
    case ptx::Op::shf:
      return modifiers.direction == ptx::FunnelDirection::Left
                 ? funnel_shift<ptx::FunnelDirection::Left>(modifiers.shift)
                 : funnel_shift<ptx::FunnelDirection::Right>(modifiers.shift);
    case ptx::Op::popc:
      return counting_bits<CountOnes>(step.type);
    case ptx::Op::clz:
      return counting_bits<LeadingZeros>(step.type);
    case ptx::Op::bfind:
      return modifiers.shift_amount ? counting<HighestBit<true>>(step.type)
                                    : counting<HighestBit<false>>(step.type);
    case ptx::Op::brev:
      return by_size<Reverse, 1>(step.type);
    case ptx::Op::bfe:
      return extract_field(step.type);
    case ptx::Op::bfi:
      return wide ? map<InsertField, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t>
                  : map<InsertField, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;
    case ptx::Op::bmsk:
      return modifiers.shift == ptx::ShiftMode::Wrap
                 ? same_type<BitMask<ptx::ShiftMode::Wrap>, uint32_t, 2>()
                 : same_type<BitMask<ptx::ShiftMode::Clamp>, uint32_t, 2>();
    case ptx::Op::prmt:
      return permute(modifiers.permute);
    default:
      return nullptr;
  }
}

}  // namespace lanescope::emulator::LANESCOPE_VECTORS
