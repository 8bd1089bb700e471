#include "native_kinds.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace lanescope::benchmarks {
namespace {

constexpr size_t kBlock = 256;  // threads

void transform(int16_t* at, size_t stride) {
  std::array<int, 8> v{};
  for (size_t n = 0; n < 8; ++n) v[n] = at[n * stride];
  for (size_t half = 4; half > 0; half /= 2)
    for (size_t n = 0; n < 8; ++n)
      if ((n & half) == 0) {
        const int sum = v[n] + v[n + half];
        const int difference = v[n] - v[n + half];
        v[n] = static_cast<int16_t>((sum * 181) >> 8);
        v[n + half] = static_cast<int16_t>((difference * 181) >> 8);
      }
  for (size_t n = 0; n < 8; ++n) at[n * stride] = static_cast<int16_t>(v[n]);
}

}  // namespace

void relax_natively(const float* in, float* out, size_t n, int rounds) {
  std::vector<float> from(in, in + n);
  std::vector<float> to(n);
  for (int round = 0; round < rounds; ++round) {
    for (size_t x = 0; x < n; ++x)
      to[x] = 0.5f * from[x] + 0.25f * (from[x + 1 == n ? 0 : x + 1] + from[x == 0 ? n - 1 : x - 1]);
    std::swap(from, to);
  }
  std::ranges::copy(from, out);
}

void skip_natively(const uint32_t* matrix, uint32_t* states, size_t threads, int rounds) {
  for (uint32_t thread = 0; thread < threads; ++thread) {
    std::array<uint32_t, 5> state{123456789u ^ thread, 362436069u + thread, 521288629u, 88675123u * thread,
                                  5783321u};
    for (int round = 0; round < rounds; ++round) {
      std::array<uint32_t, 5> next{};
      for (size_t word = 0; word < 5; ++word)
        for (size_t bit = 0; bit < 32; ++bit) {
          // A mask and not a branch: g++ 12 makes wrong AVX-512 code of the branch.
          const uint32_t mask = 0u - (state[word] >> bit & 1);
          for (size_t n = 0; n < 5; ++n) next[n] ^= matrix[(word * 32 + bit) * 5 + n] & mask;
        }
      state = next;
    }
    std::ranges::copy(state, states + size_t{5} * thread);
  }
}

void sum_natively(const uint32_t* in, uint32_t* total, size_t n) {
  uint32_t sum = 0;
  for (size_t x = 0; x < n; ++x) sum += in[x];
  *total = sum;
}

void transform_natively(const int16_t* in, int16_t* out, size_t width, size_t height) {
  std::copy(in, in + width * height, out);
  for (size_t top = 0; top < height; top += 8)
    for (size_t left = 0; left < width; left += 8) {
      int16_t* const tile = out + top * width + left;
      for (size_t y = 0; y < 8; ++y) transform(tile + y * width, 1);
      for (size_t x = 0; x < 8; ++x) transform(tile + x, width);
    }
}

void scan_natively(const uint32_t* in, uint32_t* out, size_t n) {
  for (size_t base = 0; base < n; base += kBlock) {
    uint32_t sum = 0;
    for (size_t x = base; x < base + kBlock; ++x) out[x] = sum += in[x];
  }
}

void sort_natively(const uint32_t* in, uint32_t* keys, size_t n) {
  constexpr size_t kSorted = 2 * kBlock;
  std::array<uint32_t, kSorted> value{};
  for (size_t base = 0; base < n; base += kSorted) {
    uint32_t* const key = keys + base;
    std::copy(in + base, in + base + kSorted, key);
    for (uint32_t x = 0; x < kSorted; ++x) value[x] = x;
    for (size_t size = 2; size <= kSorted; size *= 2)
      for (size_t distance = size / 2; distance > 0; distance /= 2)
        for (size_t x = 0; x < kBlock; ++x) {
          const size_t low = 2 * x - (x & (distance - 1));
          const size_t high = low + distance;
          if ((key[low] > key[high]) != ((low & size) == 0)) continue;
          std::swap(key[low], key[high]);
          std::swap(value[low], value[high]);
        }
  }
}

void sum_stages_natively(const uint32_t* in, uint32_t* out, size_t blocks, size_t rounds) {
  for (size_t block = 0; block < blocks; ++block) {
    uint32_t* const sums = out + block * kBlock;
    std::fill_n(sums, kBlock, 0u);
    for (size_t round = 0; round < rounds; ++round) {
      const uint32_t* const from = in + (block * rounds + round) * kBlock;
      for (size_t x = 0; x < kBlock; ++x) sums[x] += from[x] * 3 + from[x ^ 1];
    }
  }
}

void filter_natively(const float* in, float* out, size_t width, size_t height, int radius) {
  const int last = static_cast<int>(width) - 1;
  const float scale = 1.0f / static_cast<float>(2 * radius + 1);
  for (size_t y = 0; y < height; ++y) {
    const float* const from = in + y * width;
    float* const to = out + y * width;
    float sum = from[0] * static_cast<float>(radius);
    for (int x = 0; x <= radius; ++x) sum += from[x];
    to[0] = sum * scale;
    for (int x = 1; x <= last; ++x) {
      sum += from[std::min(x + radius, last)];
      sum -= from[std::max(x - radius - 1, 0)];
      to[x] = sum * scale;
    }
  }
}

}  // namespace lanescope::benchmarks
