// Step 2 of a pass: a block for each digit replaces the digit's counts by the sum of those before.
// counts[digit][tile] becomes the number of keys with it in earlier tiles, totals[digit] that in all tiles.
#include "radix.h"

extern "C" __global__ void scan(int* counts, int* totals, int tiles) {
  __shared__ int of_chunk;
  int* const row = counts + blockIdx.x * tiles;
  int before = 0;  // the sum of the chunks before
  for (int first = 0; first < tiles; first += THREADS) {
    const int tile = first + threadIdx.x;
    const int value = tile < tiles ? row[tile] : 0;  // @read
    const int sum = sum_before(value);
    if (tile < tiles) row[tile] = before + sum;  // @write
    if (threadIdx.x == THREADS - 1) of_chunk = sum + value;
    __syncthreads();
    before += of_chunk;
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = before;
}
