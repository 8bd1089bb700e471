// What the toggles set, and what the kernels of the sort share.
#pragma once

#ifndef DIGITS
#define DIGITS 256  // values of a digit, a power of two: a pass sorts by one digit
#endif
#ifndef LOCAL_SORT
#define LOCAL_SORT 1  // 1: a block sorts its keys in shared memory before it writes them
#endif

constexpr int THREADS = 256;           // of a block
constexpr int ITEMS = 16;              // keys of a thread
constexpr int TILE = THREADS * ITEMS;  // keys of a block
constexpr int WARPS = THREADS / 32;

__device__ inline int digit_of(unsigned key, int shift) { return key >> shift & (DIGITS - 1); }

// The lanes of the warp whose digit is the same. On an H200 a vote on each bit is faster than
// __match_any_sync().
__device__ inline unsigned peers_of(int digit) {
  unsigned peers = ~0u;
  for (int bit = 1; bit < DIGITS; bit *= 2) {
    const unsigned ones = __ballot_sync(~0u, digit & bit);
    peers &= digit & bit ? ones : ~ones;
  }
  return peers;
}

// The sum of `value` over the threads before this one. All threads of the block call it.
__device__ inline int sum_before(int value) {
  __shared__ int of_warp[WARPS];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int left = __shfl_up_sync(~0u, sum, distance);
    if (lane >= distance) sum += left;
  }
  __syncthreads();  // the call before this one has been read
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp; ++w) sum += of_warp[w];
  return sum - value;
}
