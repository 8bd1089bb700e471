// The two roles of a thread in a matrix product: which elements it moves, and which elements it computes.
#pragma once

#ifndef TRANSPOSED
#define TRANSPOSED 1  // 0: the tile of A is kept row by row; 1: column by column
#endif
#ifndef PADDING
#define PADDING 0  // floats added to each row of that tile in shared memory
#endif
#ifndef SPLIT
#define SPLIT \
  0  // the 8 columns that a thread computes; 0: side by side; 1: two groups of 4, half a tile apart
#endif

constexpr int TILE = 128;  // rows of the tile of A, columns of the tile of B
constexpr int STEP = 8;    // columns of the tile of A, rows of the tile of B
constexpr int SIDE = 8;    // a thread computes SIDE x SIDE elements

struct Place {
  int row, column;
};

// The mover: where the 4 neighboring floats are that the thread moves.
__device__ inline Place moved_of_a(int tid) { return {tid / 2, tid % 2 * 4}; }
__device__ inline Place moved_of_b(int tid) { return {tid / 32, tid % 32 * 4}; }

// The calculator: row i and column j of the elements that the thread computes, on a grid of 16 x 16 threads.
__device__ inline int computed_row(int tid, int i) { return tid / 16 * SIDE + i; }
__device__ inline int computed_column(int tid, int j) {
  return SPLIT ? tid % 16 * 4 + j / 4 * (TILE / 2) + j % 4 : tid % 16 * SIDE + j;
}

// The tile of A in shared memory: how large it is, and where its element (row, k) is.
constexpr int A_PITCH = (TRANSPOSED ? TILE : STEP) + PADDING;
constexpr int A_FLOATS = (TRANSPOSED ? STEP : TILE) * A_PITCH;
__device__ inline int place_of_a(int row, int k) {
  return TRANSPOSED ? k * A_PITCH + row : row * A_PITCH + k;
}
