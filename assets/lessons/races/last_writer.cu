// The thread that is to win is chosen, not left to chance: the one with the largest number.
// One thread writes; after a barrier every thread reads.
#include "block.h"

extern "C" __global__ void last_writer(int* numbers) {
  __shared__ int winner;
  const int t = threadIdx.x;

  if (t == BLOCK - 1) winner = t;  // @write one lane
  __syncthreads();
  numbers[blockIdx.x * BLOCK + t] = winner;  // @read a broadcast
}
