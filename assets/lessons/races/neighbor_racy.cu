// Each thread brings one element into shared memory and takes its right neighbor's element out.
// Nothing says that the neighbor has already written it.
#include "block.h"

#ifndef WARP_BARRIER
#define WARP_BARRIER 0  // 1: __syncwarp() between the write and the read
#endif

extern "C" __global__ void neighbor_racy(const float* in, float* out) {
  __shared__ float kept[BLOCK];
  const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;

  kept[t] = in[i];  // @write
  if (WARP_BARRIER) __syncwarp();
  out[i] = kept[right_of(t)];  // @read the right neighbor
}
