// Step 1 of a pass: how often does each digit occur in each tile?
// counts[digit][tile]: the counts of one digit lie next to each other, in the order of the tiles.
#include "radix.h"

extern "C" __global__ void count(const unsigned* keys, int* counts, int n, int shift) {
  __shared__ int of_digit[DIGITS];
  for (int digit = threadIdx.x; digit < DIGITS; digit += THREADS) of_digit[digit] = 0;
  __syncthreads();

  const int first = blockIdx.x * TILE + threadIdx.x;
  for (int item = 0; item < ITEMS; ++item) {
    const int i = first + item * THREADS;
    if (i < n) {
      const unsigned key = keys[i];                   // @read
      atomicAdd(&of_digit[digit_of(key, shift)], 1);  // @tally
    }
  }

  __syncthreads();
  for (int digit = threadIdx.x; digit < DIGITS; digit += THREADS) {
    const int in_tile = of_digit[digit];
    counts[digit * gridDim.x + blockIdx.x] = in_tile;  // @store
  }
}
