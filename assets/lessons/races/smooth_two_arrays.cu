// Smoothing from one array into the other, in turn: what is read in a step is not written in it.
// One barrier in a step is enough.
#include "block.h"

extern "C" __global__ void smooth_two_arrays(const float* in, float* out, int steps) {
  __shared__ float kept[2][BLOCK];
  const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;

  kept[0][t] = in[i];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const float* const from = kept[step % 2];
    kept[(step + 1) % 2][t] = (from[left_of(t)] + from[right_of(t)]) / 2;  // @step
    __syncthreads();
  }
  out[i] = kept[steps % 2][t];
}
