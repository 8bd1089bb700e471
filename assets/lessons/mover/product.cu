// C = A x B: a block computes a tile of 128 x 128, each of its 256 threads 8 x 8 elements in registers.
// Between two barriers every thread is a mover, then a calculator.
#include "roles.h"

extern "C" __global__ void product(const float* a, const float* b, float* c, int columns, int depth) {
  __shared__ alignas(16) float a_tile[A_FLOATS];
  __shared__ alignas(16) float b_tile[STEP][TILE];
  const int tid = threadIdx.x;
  const int first_row = blockIdx.y * TILE, first_column = blockIdx.x * TILE;
  const float4* const a4 = reinterpret_cast<const float4*>(a);  // count in float4: indices are divided by 4
  const float4* const b4 = reinterpret_cast<const float4*>(b);
  const Place from_a = moved_of_a(tid), from_b = moved_of_b(tid);
  float sums[SIDE][SIDE] = {};

  for (int k = 0; k < depth; k += STEP) {
    // The mover: a float4 of A, a float4 of B.
    const float4 four = a4[((first_row + from_a.row) * depth + k + from_a.column) / 4];  // @load_a
    float* const kept = &a_tile[place_of_a(from_a.row, from_a.column)];
    if (TRANSPOSED) {
      kept[0 * A_PITCH] = four.x;  // @store_a
      kept[1 * A_PITCH] = four.y;  // @store_a
      kept[2 * A_PITCH] = four.z;  // @store_a
      kept[3 * A_PITCH] = four.w;  // @store_a
    } else {
      reinterpret_cast<float4&>(*kept) = four;  // @store_a
    }
    const int of_b = ((k + from_b.row) * columns + first_column + from_b.column) / 4;
    reinterpret_cast<float4&>(b_tile[from_b.row][from_b.column]) = b4[of_b];  // @move_b
    __syncthreads();

    // The calculator: 8 floats of a column of A times 8 floats of a row of B.
#pragma unroll 1
    for (int step = 0; step < STEP; ++step) {
      float a_part[SIDE], b_part[SIDE];
      const float* const from = &a_tile[place_of_a(computed_row(tid, 0), step)];
      if (TRANSPOSED) {
        reinterpret_cast<float4&>(a_part[0]) = reinterpret_cast<const float4&>(from[0]);  // @read_a
        reinterpret_cast<float4&>(a_part[4]) = reinterpret_cast<const float4&>(from[4]);  // @read_a
      } else {
#pragma unroll
        for (int i = 0; i < SIDE; ++i) a_part[i] = from[i * A_PITCH];  // @read_a
      }
      const float* const left = &b_tile[step][computed_column(tid, 0)];
      const float* const right = &b_tile[step][computed_column(tid, 4)];
      reinterpret_cast<float4&>(b_part[0]) = reinterpret_cast<const float4&>(*left);   // @read_b
      reinterpret_cast<float4&>(b_part[4]) = reinterpret_cast<const float4&>(*right);  // @read_b
#pragma unroll
      for (int i = 0; i < SIDE; ++i)
#pragma unroll
        for (int j = 0; j < SIDE; ++j) sums[i][j] += a_part[i] * b_part[j];
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < SIDE; ++i)
#pragma unroll
    for (int j = 0; j < SIDE; j += 4) {
      const int row = first_row + computed_row(tid, i), column = first_column + computed_column(tid, j);
      const float4 four = make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]);
      reinterpret_cast<float4&>(c[row * columns + column]) = four;  // @store_c
    }
}
