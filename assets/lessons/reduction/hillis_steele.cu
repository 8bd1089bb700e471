// Scan by Hillis and Steele: in step k every element adds the one that is 2^k to the left.
// Few steps, neighboring words; but nearly every thread adds in every step.
#include "scan.h"

extern "C" __global__ void hillis_steele(const int* in, int* out, int n) {
  __shared__ int buffers[2][TILE];  // a step reads one and writes the other
  const int thread = threadIdx.x, i = blockIdx.x * TILE + thread;
  int current = 0;
  buffers[current][thread] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < TILE; distance *= 2) {
    int sum = buffers[current][thread];
    if (thread >= distance) sum += buffers[current][thread - distance];  // @addition
    current = 1 - current;
    buffers[current][thread] = sum;
    __syncthreads();
  }
  if (i < n) out[i] = thread == 0 ? 0 : buffers[current][thread - 1];  // the sum of those before
}
