// Each thread brings one element into shared memory and takes its right neighbor's element out.
// The barrier makes all writes of the block come before all of its reads.
#include "block.h"

extern "C" __global__ void neighbor(const float* in, float* out) {
  __shared__ float kept[BLOCK];
  const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;

  kept[t] = in[i];  // @write
  __syncthreads();
  out[i] = kept[right_of(t)];  // @read the right neighbor
}
