// What the other kernels must write, each in the plainest way.
#include "radix.h"

// The position of a key is the number of keys that are smaller, or equal and before it, in its group.
extern "C" __global__ void rank_sort(const unsigned* keys, unsigned* out, int n, int group) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int first = i / group * group;
  const unsigned key = keys[i];
  int position = first;
  for (int other = first; other < min(first + group, n); ++other)
    position += keys[other] < key || (keys[other] == key && other < i);
  out[position] = key;
}

// counts[digit][tile], by one thread.
extern "C" __global__ void plain_count(const unsigned* keys, int* counts, int n, int shift) {
  const int tiles = (n + TILE - 1) / TILE;
  for (int i = 0; i < DIGITS * tiles; ++i) counts[i] = 0;
  for (int i = 0; i < n; ++i) ++counts[digit_of(keys[i], shift) * tiles + i / TILE];
}

// The same, then the sum of the counts before in each row, by one thread.
extern "C" __global__ void plain_scan(const unsigned* keys, int* counts, int n, int shift) {
  plain_count(keys, counts, n, shift);
  const int tiles = (n + TILE - 1) / TILE;
  for (int digit = 0; digit < DIGITS; ++digit) {
    int before = 0;
    for (int tile = 0; tile < tiles; ++tile) {
      const int value = counts[digit * tiles + tile];
      counts[digit * tiles + tile] = before;
      before += value;
    }
  }
}

// One pass by the digit at `shift`, by one thread. `next`: room for a counter of each of the `digits`.
__device__ void pass(const unsigned* keys, unsigned* out, int* next, int n, int shift, unsigned digits) {
  for (unsigned digit = 0; digit < digits; ++digit) next[digit] = 0;
  for (int i = 0; i < n; ++i) ++next[keys[i] >> shift & (digits - 1)];
  int before = 0;
  for (unsigned digit = 0; digit < digits; ++digit) {
    const int count = next[digit];
    next[digit] = before;
    before += count;
  }
  for (int i = 0; i < n; ++i) out[next[keys[i] >> shift & (digits - 1)]++] = keys[i];
}

extern "C" __global__ void plain_pass(const unsigned* keys, unsigned* out, int* next, int n, int shift) {
  pass(keys, out, next, n, shift, DIGITS);
}

// All 32 bits in two passes, by one thread.
extern "C" __global__ void plain_sort(const unsigned* keys, unsigned* out, unsigned* other, int* next,
                                      int n) {
  pass(keys, other, next, n, 0, 65536);
  pass(other, out, next, n, 16, 65536);
}
