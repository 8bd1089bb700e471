#include "model/lane_keys.h"

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

/// One step of the network: every number meets the one `distance` lanes away (1, 2 or 4) in its register.
/// `keeps_larger` has a bit for each lane that keeps the larger of the two.
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

/// Sorts eight numbers that first rise and then fall, or turn so once.
template <bool rising>
LANESCOPE_AVX2 Eight merge(Eight keys) {
  keys = exchange<4, rising ? 0xf0 : 0x0f>(keys);
  keys = exchange<2, rising ? 0xcc : 0x33>(keys);
  return exchange<1, rising ? 0xaa : 0x55>(keys);
}

template <bool rising>
LANESCOPE_AVX2 Eight sort_eight(Eight keys) {
  keys = exchange<1, 0x66>(keys);  // pairs that rise and fall by turns
  keys = exchange<2, 0x3c>(keys);
  keys = exchange<1, 0x5a>(keys);
  return merge<rising>(keys);
}

/// The numbers in rising order, behind one that differs from the first.
struct Sorted {
  alignas(32) std::array<uint32_t, kLanes + 8> at;  // from 8 on
};

LANESCOPE_AVX2 void sort(const LaneKeys& keys, Sorted& sorted) {
  const auto* from = reinterpret_cast<const Eight*>(keys.data());
  Eight a = sort_eight<true>(_mm256_loadu_si256(from));
  Eight b = sort_eight<false>(_mm256_loadu_si256(from + 1));
  Eight c = sort_eight<true>(_mm256_loadu_si256(from + 2));
  Eight d = sort_eight<false>(_mm256_loadu_si256(from + 3));
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
  auto* to = reinterpret_cast<Eight*>(sorted.at.data() + 8);
  _mm256_store_si256(to, merge<true>(a));
  _mm256_store_si256(to + 1, merge<true>(b));
  _mm256_store_si256(to + 2, merge<true>(c));
  _mm256_store_si256(to + 3, merge<true>(d));
  sorted.at[7] = ~sorted.at[8];
}

/// A bit for each number that equals the one before it in all bits above `shift`.
LANESCOPE_AVX2 uint32_t repeats(const Sorted& sorted, int shift) {
  const __m128i bits = _mm_cvtsi32_si128(shift);
  uint32_t mask = 0;
  for (int n = 0; n < 4; ++n) {
    const uint32_t* at = sorted.at.data() + 8 + 8 * n;
    const Eight here = _mm256_srl_epi32(_mm256_load_si256(reinterpret_cast<const Eight*>(at)), bits);
    const Eight before = _mm256_srl_epi32(_mm256_loadu_si256(reinterpret_cast<const Eight*>(at - 1)), bits);
    const int equal = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(here, before)));
    mask |= static_cast<uint32_t>(equal) << 8 * n;
  }
  return mask & ~uint32_t{1};
}

LANESCOPE_AVX2 int longest_run(uint32_t ones) {
  int length = 0;
  for (; ones != 0; ones &= ones << 1) ++length;
  return length;
}

}  // namespace

bool can_compare_lane_keys() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("popcnt");
}

LANESCOPE_AVX2_ENTRY bool make_keys(const std::array<uint64_t, kLanes>& addresses, uint64_t origin, int shift,
                                    LaneKeys& keys) {
  const Eight from = _mm256_set1_epi64x(static_cast<int64_t>(origin));
  const __m128i bits = _mm_cvtsi32_si128(shift);
  const Eight fraction = _mm256_set1_epi64x((int64_t{1} << shift) - 1);
  Eight wrong = _mm256_setzero_si256();
  const auto places = [&](size_t n) __attribute__((target("avx2,bmi,bmi2,popcnt"))) {
    const auto* at = reinterpret_cast<const Eight*>(addresses.data() + n);
    const Eight behind = _mm256_sub_epi64(_mm256_loadu_si256(at), from);
    const Eight place = _mm256_srl_epi64(behind, bits);
    wrong = _mm256_or_si256(wrong, _mm256_and_si256(behind, fraction));
    wrong = _mm256_or_si256(wrong, _mm256_srli_epi64(place, 32));
    return place;
  };
  for (size_t n = 0; n < keys.size(); n += 8) {
    const __m256 low = _mm256_castsi256_ps(places(n));
    const __m256 high = _mm256_castsi256_ps(places(n + 4));
    // The low halves of eight numbers, by the halves of the registers; then in order.
    const Eight mixed = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0x88));
    _mm256_storeu_si256(reinterpret_cast<Eight*>(keys.data() + n), _mm256_permute4x64_epi64(mixed, 0xd8));
  }
  return _mm256_testz_si256(wrong, wrong) != 0;
}

LANESCOPE_AVX2_ENTRY DistinctKeys count_distinct(const LaneKeys& keys, int first_shift, int second_shift) {
  Sorted sorted;
  sort(keys, sorted);
  const auto distinct = [&](int shift) __attribute__((target("avx2,bmi,bmi2,popcnt"))) {
    return kLanes - std::popcount(repeats(sorted, shift));
  };
  return {.keys = distinct(0), .by_first = distinct(first_shift), .by_second = distinct(second_shift)};
}

LANESCOPE_AVX2_ENTRY int count_distinct_in_column(const LaneKeys& keys) {
  Sorted sorted;
  sort(keys, sorted);
  // Of the numbers that come for the first time, those whose column is that of the number before.
  return 1 + longest_run(_pext_u32(repeats(sorted, kColumnShift), ~repeats(sorted, 0)));
}

LANESCOPE_AVX2_ENTRY int count_in_column(const LaneKeys& keys) {
  Sorted sorted;
  sort(keys, sorted);
  return 1 + longest_run(repeats(sorted, kColumnShift));
}

#else

bool can_compare_lane_keys() { return false; }
bool make_keys(const std::array<uint64_t, kLanes>&, uint64_t, int, LaneKeys&) { return false; }
DistinctKeys count_distinct(const LaneKeys&, int, int) { return {}; }
int count_distinct_in_column(const LaneKeys&) { return 0; }
int count_in_column(const LaneKeys&) { return 0; }

#endif

}  // namespace lanescope::model
