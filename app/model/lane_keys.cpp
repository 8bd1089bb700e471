#include "model/lane_keys.h"

#include "model/sectors.h"

#include <bit>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace lanescope::model {

#ifdef __x86_64__

namespace {

#define LANESCOPE_AVX2 [[gnu::target("avx2,bmi,bmi2,popcnt"), gnu::always_inline]] inline
#define LANESCOPE_AVX2_ENTRY [[gnu::target("avx2,bmi,bmi2,popcnt")]]
#define LANESCOPE_AVX2_LAMBDA __attribute__((target("avx2,bmi,bmi2,popcnt"), always_inline))

constexpr int kWordShift = 2;
constexpr int kLineShift = std::countr_zero(kLineBytes);
constexpr int kShortBits = 16;

using Eight = __m256i;

/// 32 numbers of 32 bits.
struct Numbers {
  Eight a, b, c, d;
};

/// One step of the network: every number is compared with the one `distance` lanes away (1, 2 or 4) in its
/// register. `keeps_larger` has a bit for each lane that keeps the larger of the two.
template <int distance, int keeps_larger>
LANESCOPE_AVX2 Eight exchange(Eight keys) {
  Eight other;
  if constexpr (distance == 1) other = _mm256_shuffle_epi32(keys, 0xb1);
  if constexpr (distance == 2) other = _mm256_shuffle_epi32(keys, 0x4e);
  if constexpr (distance == 4) other = _mm256_permute2x128_si256(keys, keys, 1);
  return _mm256_blend_epi32(_mm256_min_epu32(keys, other), _mm256_max_epu32(keys, other), keeps_larger);
}

/// The same between two registers: the smaller ones to `low`.
LANESCOPE_AVX2 void exchange(Eight& low, Eight& high) {
  const Eight smaller = _mm256_min_epu32(low, high);
  high = _mm256_max_epu32(low, high);
  low = smaller;
}

/// Sorts a bitonic sequence of eight numbers.
template <bool rising>
LANESCOPE_AVX2 Eight merge(Eight keys) {
  keys = exchange<4, rising ? 0xf0 : 0x0f>(keys);
  keys = exchange<2, rising ? 0xcc : 0x33>(keys);
  return exchange<1, rising ? 0xaa : 0x55>(keys);
}

/// Sorts eight numbers of which both halves rise.
template <bool rising>
LANESCOPE_AVX2 Eight merge_halves(Eight keys) {
  const Eight turned = _mm256_permutevar8x32_epi32(keys, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0));
  keys = _mm256_blend_epi32(_mm256_min_epu32(keys, turned), _mm256_max_epu32(keys, turned),
                            rising ? 0xf0 : 0x0f);
  keys = exchange<2, rising ? 0xcc : 0x33>(keys);
  return exchange<1, rising ? 0xaa : 0x55>(keys);
}

/// Numbers whose fours, n and n + 8 and n + 16 and n + 24, are sorted and side by side.
LANESCOPE_AVX2 Numbers sorted_fours(const Numbers& keys) {
  Eight a = keys.a;
  Eight b = keys.b;
  Eight c = keys.c;
  Eight d = keys.d;
  exchange(a, b);
  exchange(c, d);
  exchange(a, c);
  exchange(b, d);
  exchange(b, c);
  const Eight ab = _mm256_unpacklo_epi32(a, b);
  const Eight cd = _mm256_unpacklo_epi32(c, d);
  const Eight other_ab = _mm256_unpackhi_epi32(a, b);
  const Eight other_cd = _mm256_unpackhi_epi32(c, d);
  return {_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd),
          _mm256_unpacklo_epi64(other_ab, other_cd), _mm256_unpackhi_epi64(other_ab, other_cd)};
}

LANESCOPE_AVX2 Numbers sorted(const Numbers& keys) {
  const Numbers fours = sorted_fours(keys);
  Eight a = merge_halves<true>(fours.a);
  Eight b = merge_halves<false>(fours.b);
  Eight c = merge_halves<true>(fours.c);
  Eight d = merge_halves<false>(fours.d);
  exchange(a, b);
  exchange(d, c);  // the second sixteen fall
  a = merge<true>(a);
  b = merge<true>(b);
  c = merge<false>(c);
  d = merge<false>(d);
  exchange(a, c);
  exchange(b, d);
  exchange(a, b);
  exchange(c, d);
  return {merge<true>(a), merge<true>(b), merge<true>(c), merge<true>(d)};
}

/// 32 numbers of 16 bits. Below, their ranks have five bits, x4 to x0: which bit of a rank chooses the
/// register, which the half of a register, and which the place in the half, is written as x0 | x4 | x3 x2 x1.
struct ShortNumbers {
  Eight a, b;
};

/// The upper half of each number is 0; in another order.
LANESCOPE_AVX2 ShortNumbers shortened(const Numbers& keys) {
  return {_mm256_packus_epi32(keys.a, keys.b), _mm256_packus_epi32(keys.c, keys.d)};
}

/// Compares the numbers whose ranks differ in the bit that chooses the register.
LANESCOPE_AVX2 void exchange(ShortNumbers& keys) {
  const Eight smaller = _mm256_min_epu16(keys.a, keys.b);
  keys.b = _mm256_max_epu16(keys.a, keys.b);
  keys.a = smaller;
}

/// From w | h | x y z to x | h | y z w.
LANESCOPE_AVX2 void turn(ShortNumbers& keys) {
  const Eight low = _mm256_unpacklo_epi16(keys.a, keys.b);
  keys.b = _mm256_unpackhi_epi16(keys.a, keys.b);
  keys.a = low;
}

/// From w | h | x y z to h | w | x y z.
LANESCOPE_AVX2 void cross(ShortNumbers& keys) {
  const Eight low = _mm256_permute2x128_si256(keys.a, keys.b, 0x20);
  keys.b = _mm256_permute2x128_si256(keys.a, keys.b, 0x31);
  keys.a = low;
}

/// Sorts as x0 | x1 | x4 x3 x2. Each merge turns one of two sorted sequences around, and compares a bit of
/// the ranks after the other, from the highest that the sequences have.
LANESCOPE_AVX2 ShortNumbers sorted(ShortNumbers keys) {
  const Eight backwards =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1));
  const auto compare_next = [&](int count) LANESCOPE_AVX2_LAMBDA {
#pragma GCC unroll 3
    for (int n = 0; n < count; ++n) {
      turn(keys);
      exchange(keys);
    }
  };
  exchange(keys);  // x0 | x4 | x3 x2 x1
  turn(keys);
  turn(keys);
  turn(keys);  // x1 | x4 | x0 x3 x2
  keys.b = _mm256_shuffle_epi32(keys.b, 0x4e);
  exchange(keys);
  compare_next(1);  // x0 | x4 | x3 x2 x1
  turn(keys);
  turn(keys);  // x2 | x4 | x1 x0 x3
  keys.b = _mm256_shuffle_epi32(keys.b, 0x1b);
  exchange(keys);
  compare_next(2);  // x0 | x4 | x3 x2 x1
  turn(keys);       // x3 | x4 | x2 x1 x0
  keys.b = _mm256_shuffle_epi8(keys.b, backwards);
  exchange(keys);
  compare_next(3);  // x0 | x4 | x3 x2 x1
  cross(keys);      // x4 | x0 | x3 x2 x1
  keys.b = _mm256_permute4x64_epi64(_mm256_shuffle_epi8(keys.b, backwards), 0x4e);
  exchange(keys);
  compare_next(3);  // x1 | x0 | x4 x3 x2
  cross(keys);
  exchange(keys);
  return keys;
}

/// XOR of each number with the one of the previous rank, in the order of sorted(); the first is meaningless.
LANESCOPE_AVX2 ShortNumbers steps_between(const ShortNumbers& keys) {
  const Eight crossed = _mm256_permute2x128_si256(keys.b, keys.b, 1);
  const Eight before = _mm256_blend_epi32(crossed, _mm256_slli_si256(crossed, 2), 0x0f);
  return {_mm256_xor_si256(keys.a, before), _mm256_xor_si256(keys.b, keys.a)};
}

/// XOR of each number with the previous one; the first element is meaningless.
LANESCOPE_AVX2 Numbers steps_between(const Numbers& keys) {
  const Eight back = _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6);
  const Eight a = _mm256_permutevar8x32_epi32(keys.a, back);
  const Eight b = _mm256_permutevar8x32_epi32(keys.b, back);
  const Eight c = _mm256_permutevar8x32_epi32(keys.c, back);
  const Eight d = _mm256_permutevar8x32_epi32(keys.d, back);
  return {_mm256_xor_si256(keys.a, a), _mm256_xor_si256(keys.b, _mm256_blend_epi32(b, a, 1)),
          _mm256_xor_si256(keys.c, _mm256_blend_epi32(c, b, 1)),
          _mm256_xor_si256(keys.d, _mm256_blend_epi32(d, c, 1))};
}

/// A bit for each number that is 0, in their order.
LANESCOPE_AVX2 uint32_t zeros(Eight numbers) {
  const Eight zero = _mm256_cmpeq_epi32(numbers, _mm256_setzero_si256());
  return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(zero)));
}

/// A bit for each number that equals the previous one in all bits from `shift` on.
LANESCOPE_AVX2 uint32_t repeats(const Numbers& steps, int shift) {
  const __m128i bits = _mm_cvtsi32_si128(shift);
  const uint32_t mask = zeros(_mm256_srl_epi32(steps.a, bits)) | zeros(_mm256_srl_epi32(steps.b, bits)) << 8 |
                        zeros(_mm256_srl_epi32(steps.c, bits)) << 16 |
                        zeros(_mm256_srl_epi32(steps.d, bits)) << 24;
  return mask & ~uint32_t{1};
}

/// Bytes of ones for each number that equals the previous one in all bits from `shift` on. The bytes of a
/// half are those of `a` and `b` in this half.
LANESCOPE_AVX2 Eight equal_above(const ShortNumbers& steps, int shift) {
  const __m128i bits = _mm_cvtsi32_si128(shift);
  const Eight zero = _mm256_setzero_si256();
  return _mm256_packs_epi16(_mm256_cmpeq_epi16(_mm256_srl_epi16(steps.a, bits), zero),
                            _mm256_cmpeq_epi16(_mm256_srl_epi16(steps.b, bits), zero));
}

LANESCOPE_AVX2 uint32_t repeats(const ShortNumbers& steps, int shift) {
  const Eight in_turns =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
  // x1 | x4 x3 x2 x0
  const auto mask =
      static_cast<uint32_t>(_mm256_movemask_epi8(_mm256_shuffle_epi8(equal_above(steps, shift), in_turns)));
  return (_pdep_u32(mask, 0x33333333) | _pdep_u32(mask >> 16, 0xcccccccc)) & ~uint32_t{1};
}

LANESCOPE_AVX2 int distinct_above(const ShortNumbers& steps, int shift) {
  // In another order, but the first stays the first.
  const auto mask = static_cast<uint32_t>(_mm256_movemask_epi8(equal_above(steps, shift)));
  return kLanes - _mm_popcnt_u32(mask & ~uint32_t{1});
}

/// How many numbers differ from the previous one in the bits from `shift` on; the first does.
LANESCOPE_AVX2 int distinct_above(const Numbers& steps, int shift) {
  const __m128i bits = _mm_cvtsi32_si128(shift);
  const Eight zero = _mm256_setzero_si256();
  const auto same = [&](Eight some) LANESCOPE_AVX2_LAMBDA {
    return _mm256_cmpeq_epi32(_mm256_srl_epi32(some, bits), zero);
  };
  // In another order, but the first stays the first.
  const Eight all = _mm256_packs_epi16(_mm256_packs_epi32(same(steps.a), same(steps.b)),
                                       _mm256_packs_epi32(same(steps.c), same(steps.d)));
  return kLanes - _mm_popcnt_u32(static_cast<uint32_t>(_mm256_movemask_epi8(all)) & ~uint32_t{1});
}

LANESCOPE_AVX2 int longest_run(uint32_t ones) {
  int length = 0;
  for (; ones != 0; ones &= ones << 1) ++length;
  return length;
}

/// The numbers of 32 pieces of 2^shift bytes from `origin` on, in any order.
struct Places {
  LANESCOPE_AVX2 Places(AllAddresses addresses, uint64_t origin, int shift)
      : origin_(_mm256_set1_epi64x(static_cast<int64_t>(origin))),
        shift_(_mm_cvtsi32_si128(shift)),
        all_(_mm256_setzero_si256()) {
    const auto* at = reinterpret_cast<const Eight*>(addresses.data());
    numbers.a = eight(at);
    numbers.b = eight(at + 2);
    numbers.c = eight(at + 4);
    numbers.d = eight(at + 6);
  }
  /// Whether all are less than 2^bits bytes from there.
  LANESCOPE_AVX2 bool are_within(int bits) const { return lack(-(int64_t{1} << bits)); }
  /// And whole pieces.
  LANESCOPE_AVX2 bool are_whole_within(int bits, int shift) const {
    return lack(-(int64_t{1} << bits) | ((int64_t{1} << shift) - 1));
  }

  Numbers numbers;

 private:
  LANESCOPE_AVX2 bool lack(int64_t bits) const {
    return _mm256_testz_si256(all_, _mm256_set1_epi64x(bits)) != 0;
  }
  LANESCOPE_AVX2 Eight four(const Eight* at) {
    const Eight place = _mm256_sub_epi64(_mm256_loadu_si256(at), origin_);
    all_ = _mm256_or_si256(all_, place);
    return place;
  }
  LANESCOPE_AVX2 Eight eight(const Eight* at) {
    const __m256 first = _mm256_castsi256_ps(four(at));
    const __m256 second = _mm256_castsi256_ps(four(at + 1));
    return _mm256_srl_epi32(_mm256_castps_si256(_mm256_shuffle_ps(first, second, 0x88)), shift_);
  }

  Eight origin_;
  __m128i shift_;
  Eight all_;  // the bits that any of them has
};

// A row has 32 words. Of a number that is turned by these bits, the upper ones name the bank.
constexpr int kRowShift = std::countr_zero(uint32_t{kLanes});

LANESCOPE_AVX2 Eight by_bank_and_row(Eight words) {
  return _mm256_or_si256(_mm256_slli_epi32(words, 32 - kRowShift), _mm256_srli_epi32(words, kRowShift));
}
LANESCOPE_AVX2 Numbers by_bank_and_row(const Numbers& words) {
  return {by_bank_and_row(words.a), by_bank_and_row(words.b), by_bank_and_row(words.c),
          by_bank_and_row(words.d)};
}

LANESCOPE_AVX2 Eight short_by_bank_and_row(Eight words) {
  return _mm256_or_si256(_mm256_slli_epi16(words, kShortBits - kRowShift),
                         _mm256_srli_epi16(words, kRowShift));
}
LANESCOPE_AVX2 ShortNumbers by_bank_and_row(const ShortNumbers& words) {
  return {short_by_bank_and_row(words.a), short_by_bank_and_row(words.b)};
}

/// The words of shared memory that are in the bank of the one before them, in the order of banks and rows: a
/// bit for each.
struct Neighbors {
  uint32_t same_bank = 0;
  uint32_t same_word = 0;
};
template <class SomeNumbers>
LANESCOPE_AVX2 Neighbors neighbors_of(const SomeNumbers& words, int bits) {
  const SomeNumbers steps = steps_between(sorted(by_bank_and_row(words)));
  return {repeats(steps, bits - kRowShift), repeats(steps, 0)};
}
LANESCOPE_AVX2 Neighbors neighbors_of(const Places& words) {
  return words.are_within(kShortBits + kWordShift) ? neighbors_of(shortened(words.numbers), kShortBits)
                                                   : neighbors_of(words.numbers, 32);
}

}  // namespace

bool can_sort_lanes() {
  static const bool can = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                          __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  return can;
}

namespace {

template <class SomeNumbers>
LANESCOPE_AVX2 DistinctPieces count_distinct(const SomeNumbers& pieces, int shift) {
  constexpr int kSectorShift = std::countr_zero(kSectorBytes);
  const SomeNumbers steps = steps_between(sorted(pieces));
  return {.pieces = distinct_above(steps, 0),
          .sectors = distinct_above(steps, kSectorShift - shift),
          .lines = distinct_above(steps, kLineShift - shift)};
}

}  // namespace

LANESCOPE_AVX2_ENTRY std::optional<DistinctPieces> count_pieces(AllAddresses addresses, int shift) {
  // Numbered from the line of the first lane, with as much room for lanes before it as after it.
  const auto places_within = [&](int bits) LANESCOPE_AVX2_LAMBDA {
    return Places(addresses, addresses[0] / kLineBytes * kLineBytes - (uint64_t{1} << (bits - 1)), shift);
  };
  const Places near = places_within(kShortBits + shift);
  if (near.are_whole_within(kShortBits + shift, shift)) return count_distinct(shortened(near.numbers), shift);
  const Places far = places_within(32);
  if (far.are_whole_within(32, shift)) return count_distinct(far.numbers, shift);
  return std::nullopt;
}

LANESCOPE_AVX2_ENTRY int count_words_in_bank(AllAddresses addresses) {
  const Neighbors neighbors = neighbors_of(Places(addresses, 0, kWordShift));
  // Of the first occurrences of words, those in the same bank as the previous word.
  return 1 + longest_run(_pext_u32(neighbors.same_bank, ~neighbors.same_word));
}

LANESCOPE_AVX2_ENTRY int count_lanes_in_bank(AllAddresses addresses) {
  return 1 + longest_run(neighbors_of(Places(addresses, 0, kWordShift)).same_bank);
}

#else

bool can_sort_lanes() { return false; }
std::optional<DistinctPieces> count_pieces(AllAddresses, int) { return std::nullopt; }
int count_words_in_bank(AllAddresses) { return 0; }
int count_lanes_in_bank(AllAddresses) { return 0; }

#endif

}  // namespace lanescope::model
