// Every thread writes its number into one word; after a barrier every thread reads it.
// The barrier orders the writes before the reads, and nothing orders the writes among themselves.
#include "block.h"

extern "C" __global__ void last_writer_racy(int* numbers) {
  __shared__ int winner;
  const int t = threadIdx.x;

  winner = t;  // @write all lanes, one word
  __syncthreads();
  numbers[blockIdx.x * BLOCK + t] = winner;  // @read a broadcast
}
