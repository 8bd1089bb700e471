#include "native_kernels.h"

#include <cstring>

namespace lanescope::benchmarks {

void copy_natively(const float* in, float* out, size_t width, size_t height) {
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x) out[y * width + x] = in[y * width + x];
}

void transpose_natively(const float* in, float* out, size_t width, size_t height) {
  constexpr size_t kTile = 32;
  float kept[kTile][kTile + 1];
  for (size_t top = 0; top < height; top += kTile)
    for (size_t left = 0; left < width; left += kTile) {
      for (size_t y = 0; y < kTile; ++y)
        std::memcpy(kept[y], in + (top + y) * width + left, kTile * sizeof(float));
      for (size_t x = 0; x < kTile; ++x)
        for (size_t y = 0; y < kTile; ++y) out[(left + x) * height + top + y] = kept[y][x];
    }
}

void multiply_natively(const float* a, const float* b, float* c, size_t n) {
  constexpr size_t kTile = 16;
  for (size_t top = 0; top < n; top += kTile)
    for (size_t left = 0; left < n; left += kTile) {
      float sums[kTile][kTile] = {};
      for (size_t k = 0; k < n; ++k)
        for (size_t y = 0; y < kTile; ++y) {
          const float factor = a[(top + y) * n + k];
          for (size_t x = 0; x < kTile; ++x) sums[y][x] += factor * b[k * n + left + x];
        }
      for (size_t y = 0; y < kTile; ++y)
        std::memcpy(c + (top + y) * n + left, sums[y], kTile * sizeof(float));
    }
}

void reduce_natively(const float* in, float* sums, size_t blocks) {
  constexpr size_t kThreads = 256;
  float kept[kThreads];
  for (size_t block = 0; block < blocks; ++block) {
    const float* const from = in + block * 2 * kThreads;
    for (size_t x = 0; x < kThreads; ++x) kept[x] = from[x] + from[kThreads + x];
    for (size_t half = kThreads / 2; half > 0; half /= 2)
      for (size_t x = 0; x < half; ++x) kept[x] += kept[x + half];
    sums[block] = kept[0];
  }
}

void count_natively(const uint8_t* in, uint32_t* bins, size_t count) {
  for (size_t n = 0; n < count; ++n) ++bins[in[n]];
}

void smooth_natively(const float* in, float* out, size_t width, size_t height, size_t depth) {
  const size_t area = width * height;
  for (size_t z = 0; z < depth; ++z)
    for (size_t y = 0; y < height; ++y)
      for (size_t x = 0; x < width; ++x) {
        const size_t at = z * area + y * width + x;
        const float around = (x > 0 ? in[at - 1] : 0.0f) + (x + 1 < width ? in[at + 1] : 0.0f) +
                             (y > 0 ? in[at - width] : 0.0f) + (y + 1 < height ? in[at + width] : 0.0f);
        const float above = z + 1 < depth ? in[at + area] : 0.0f;
        const float below = z > 0 ? in[at - area] : 0.0f;
        out[at] = 0.5f * in[at] + 0.08f * (around + above + below);
      }
}

}  // namespace lanescope::benchmarks
