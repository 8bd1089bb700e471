// A histogram with atomics in global memory: each number adds to its bin at once.
// All threads of all blocks meet at the same few addresses.
#include "bins.h"

extern "C" __global__ void histogram_global(const unsigned* numbers, unsigned* bins, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const unsigned number = numbers[i];                      // @read
    atomicAdd(&bins[bin_of(number, i)], weight_of(number));  // @add
  }
}
