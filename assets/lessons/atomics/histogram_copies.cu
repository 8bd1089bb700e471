// A histogram with 8 copies of the bins in shared memory: one for each warp, or one for every 8th lane.
// Threads with different copies never meet; the copies of a bin are in different banks.
#include "bins.h"

#ifndef BY_LANE
#define BY_LANE 0  // 0: a copy for each warp; 1: lanes k, k + 8, k + 16 and k + 24 share a copy
#endif

constexpr int COPIES = 8;  // as many as a block of 256 threads has warps

extern "C" __global__ void histogram_copies(const unsigned* numbers, unsigned* bins, int count) {
  __shared__ unsigned copies[COPIES][BINS + 1];
  for (int n = threadIdx.x; n < COPIES * (BINS + 1); n += blockDim.x)
    copies[n / (BINS + 1)][n % (BINS + 1)] = 0;
  __syncthreads();

  unsigned* const own = copies[BY_LANE ? threadIdx.x % COPIES : threadIdx.x / 32];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const unsigned number = numbers[i];                     // @read
    atomicAdd(&own[bin_of(number, i)], weight_of(number));  // @add
  }
  __syncthreads();

  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
    unsigned sum = 0;
    for (int copy = 0; copy < COPIES; ++copy) sum += copies[copy][bin];  // @gather
    atomicAdd(&bins[bin], sum);                                          // @merge
  }
}
