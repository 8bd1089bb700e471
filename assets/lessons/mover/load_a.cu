// The mover at the tiles of A: 256 threads load 128 rows of 8 floats, a float4 each, and keep them in shared
// memory. So that something comes of it, half of the threads then add up a row of A each.
#include "roles.h"

extern "C" __global__ void load_a(const float* a, float* row_sums, int depth) {
  __shared__ alignas(16) float a_tile[A_FLOATS];
  const int tid = threadIdx.x;
  const int first_row = blockIdx.x * TILE;
  const float4* const a4 = reinterpret_cast<const float4*>(a);  // counts in float4: indices are divided by 4
  const Place place = moved_of_a(tid);
  float sum = 0;

  for (int k = 0; k < depth; k += STEP) {
    const float4 four = a4[((first_row + place.row) * depth + k + place.column) / 4];  // @load_a
    float* const kept = &a_tile[place_of_a(place.row, place.column)];
    if (TRANSPOSED) {
      kept[0 * A_PITCH] = four.x;  // @store_a
      kept[1 * A_PITCH] = four.y;  // @store_a
      kept[2 * A_PITCH] = four.z;  // @store_a
      kept[3 * A_PITCH] = four.w;  // @store_a
    } else {
      reinterpret_cast<float4&>(*kept) = four;  // @store_a
    }
    __syncthreads();

    if (tid < TILE)
      for (int i = 0; i < STEP; ++i) sum += a_tile[place_of_a(tid, i)];  // @read_a
    __syncthreads();
  }
  if (tid < TILE) row_sums[first_row + tid] = sum;
}
