// Every thread that finds an element of 64 or more writes the same number into one word.
// Which write comes last does not matter, as they all write 1: the checks make it a note.
#include "block.h"

extern "C" __global__ void same_value(const float* in, int* numbers) {
  __shared__ int found;
  const int t = threadIdx.x;

  if (t == 0) found = 0;  // @clear
  __syncthreads();
  const bool is_large = in[blockIdx.x * BLOCK + t] >= 64;  // @read
  if (is_large) found = 1;                                 // @write all the same value
  __syncthreads();
  numbers[blockIdx.x * BLOCK + t] = found;  // @broadcast
}
