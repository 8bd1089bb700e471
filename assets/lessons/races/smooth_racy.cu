// Smoothing in place, several times: each element becomes the mean of its two neighbors.
// One of the two barriers of a step is missing.
#include "block.h"

#ifndef MISSING
#define MISSING 0  // 0: the barrier after the reads; 1: the barrier after the write
#endif

extern "C" __global__ void smooth_racy(const float* in, float* out, int steps) {
  __shared__ float kept[BLOCK];
  const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;

  kept[t] = in[i];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const float mean = (kept[left_of(t)] + kept[right_of(t)]) / 2;  // @read
    if (MISSING != 0) __syncthreads();
    kept[t] = mean;  // @write
    if (MISSING != 1) __syncthreads();
  }
  out[i] = kept[t];
}
