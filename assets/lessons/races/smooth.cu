// Smoothing in place, several times: each element becomes the mean of its two neighbors.
// Two barriers in a step: all have read before one writes, all have written before one reads again.
#include "block.h"

extern "C" __global__ void smooth(const float* in, float* out, int steps) {
  __shared__ float kept[BLOCK];
  const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;

  kept[t] = in[i];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const float mean = (kept[left_of(t)] + kept[right_of(t)]) / 2;  // @read
    __syncthreads();
    kept[t] = mean;  // @write
    __syncthreads();
  }
  out[i] = kept[t];
}
