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

template <bool rising>
LANESCOPE_AVX2 Eight sort_eight(Eight keys) {
  keys = exchange<1, 0x66>(keys);  // pairs that rise and fall alternately
  keys = exchange<2, 0x3c>(keys);
  keys = exchange<1, 0x5a>(keys);
  return merge<rising>(keys);
}

LANESCOPE_AVX2 Numbers sorted(const Numbers& keys) {
  Eight a = sort_eight<true>(keys.a);
  Eight b = sort_eight<false>(keys.b);
  Eight c = sort_eight<true>(keys.c);
  Eight d = sort_eight<false>(keys.d);
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

/// A bit for each number that is 0.
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

LANESCOPE_AVX2 int distinct_above(const Numbers& steps, int shift) {
  return kLanes - std::popcount(repeats(steps, shift));
}

LANESCOPE_AVX2 int longest_run(uint32_t ones) {
  int length = 0;
  for (; ones != 0; ones &= ones << 1) ++length;
  return length;
}

/// The low halves of eight numbers of 64 bits.
LANESCOPE_AVX2 Eight low_halves(Eight first, Eight second) {
  const __m256 mixed = _mm256_shuffle_ps(_mm256_castsi256_ps(first), _mm256_castsi256_ps(second), 0x88);
  return _mm256_permute4x64_epi64(_mm256_castps_si256(mixed), 0xd8);
}

/// The numbers of 32 pieces of 2^shift bytes from `origin` on, and whether they are whole and fit 32 bits.
struct Places {
  LANESCOPE_AVX2 Places(AllAddresses addresses, uint64_t origin, int shift)
      : origin_(_mm256_set1_epi64x(static_cast<int64_t>(origin))),
        fraction_(_mm256_set1_epi64x((int64_t{1} << shift) - 1)),
        shift_(_mm_cvtsi32_si128(shift)),
        wrong_(_mm256_setzero_si256()) {
    const auto* at = reinterpret_cast<const Eight*>(addresses.data());
    numbers.a = eight(at);
    numbers.b = eight(at + 2);
    numbers.c = eight(at + 4);
    numbers.d = eight(at + 6);
  }
  LANESCOPE_AVX2 bool fit() const { return _mm256_testz_si256(wrong_, wrong_) != 0; }

  Numbers numbers;

 private:
  LANESCOPE_AVX2 Eight four(const Eight* at) {
    const Eight behind = _mm256_sub_epi64(_mm256_loadu_si256(at), origin_);
    const Eight place = _mm256_srl_epi64(behind, shift_);
    wrong_ = _mm256_or_si256(wrong_, _mm256_and_si256(behind, fraction_));
    wrong_ = _mm256_or_si256(wrong_, _mm256_srli_epi64(place, 32));
    return place;
  }
  LANESCOPE_AVX2 Eight eight(const Eight* at) {
    const Eight first = four(at);
    return low_halves(first, four(at + 1));
  }

  Eight origin_;
  Eight fraction_;
  __m128i shift_;
  Eight wrong_;
};

// Bits above these name a word's bank.
constexpr int kBankShift = 27;

LANESCOPE_AVX2 Eight bank_above_row(Eight word) {
  return _mm256_or_si256(_mm256_slli_epi32(word, kBankShift), _mm256_srli_epi32(word, 32 - kBankShift));
}

/// The words of shared memory sorted by bank and row, each compared with the previous one.
LANESCOPE_AVX2 Numbers steps_between_words(AllAddresses addresses) {
  const Numbers words = Places(addresses, 0, 2).numbers;
  return steps_between(sorted(
      {bank_above_row(words.a), bank_above_row(words.b), bank_above_row(words.c), bank_above_row(words.d)}));
}

}  // namespace

bool can_sort_lanes() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
}

LANESCOPE_AVX2_ENTRY std::optional<DistinctPieces> count_pieces(AllAddresses addresses, int shift) {
  // Numbered from the line of the first lane, with room for lanes before it.
  const uint64_t origin = addresses[0] / kLineBytes * kLineBytes - (uint64_t{1} << (31 + shift));
  const Places places(addresses, origin, shift);
  if (!places.fit()) return std::nullopt;
  const Numbers steps = steps_between(sorted(places.numbers));
  constexpr int kSectorShift = std::countr_zero(kSectorBytes);
  constexpr int kLineShift = std::countr_zero(kLineBytes);
  return DistinctPieces{.pieces = distinct_above(steps, 0),
                        .sectors = distinct_above(steps, kSectorShift - shift),
                        .lines = distinct_above(steps, kLineShift - shift)};
}

LANESCOPE_AVX2_ENTRY int count_words_in_bank(AllAddresses addresses) {
  const Numbers steps = steps_between_words(addresses);
  // Of the first occurrences of words, those in the same bank as the previous word.
  return 1 + longest_run(_pext_u32(repeats(steps, kBankShift), ~repeats(steps, 0)));
}

LANESCOPE_AVX2_ENTRY int count_lanes_in_bank(AllAddresses addresses) {
  return 1 + longest_run(repeats(steps_between_words(addresses), kBankShift));
}

#else

bool can_sort_lanes() { return false; }
std::optional<DistinctPieces> count_pieces(AllAddresses, int) { return std::nullopt; }
int count_words_in_bank(AllAddresses) { return 0; }
int count_lanes_in_bank(AllAddresses) { return 0; }

#endif

}  // namespace lanescope::model
