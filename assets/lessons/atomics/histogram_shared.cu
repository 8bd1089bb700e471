// A histogram with atomics in shared memory: each block counts for itself, then adds its bins to the global
// ones. Only threads of one block meet at a bin; global memory sees one update for each bin and block.
#include "bins.h"

extern "C" __global__ void histogram_shared(const unsigned* numbers, unsigned* bins, int count) {
  __shared__ unsigned own[BINS];
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) own[bin] = 0;
  __syncthreads();

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const unsigned number = numbers[i];                     // @read
    atomicAdd(&own[bin_of(number, i)], weight_of(number));  // @add
  }
  __syncthreads();

  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) atomicAdd(&bins[bin], own[bin]);  // @merge
}
