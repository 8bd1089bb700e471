// The mover at the tiles of B: 256 threads load 8 rows of 128 floats, a float4 each, and keep them in shared
// memory. So that something comes of it, half of the threads then add up a column of B each.
#include "roles.h"

extern "C" __global__ void load_b(const float* b, float* column_sums, int columns, int depth) {
  __shared__ alignas(16) float b_tile[STEP][TILE];
  const int tid = threadIdx.x;
  const int first_column = blockIdx.x * TILE;
  const float4* const b4 = reinterpret_cast<const float4*>(b);  // counts in float4: indices are divided by 4
  const Place place = moved_of_b(tid);
  float sum = 0;

  for (int k = 0; k < depth; k += STEP) {
    const int from = ((k + place.row) * columns + first_column + place.column) / 4;
    reinterpret_cast<float4&>(b_tile[place.row][place.column]) = b4[from];  // @move_b
    __syncthreads();

    if (tid < TILE)
      for (int i = 0; i < STEP; ++i) sum += b_tile[i][tid];  // @read_b
    __syncthreads();
  }
  if (tid < TILE) column_sums[first_column + tid] = sum;
}
