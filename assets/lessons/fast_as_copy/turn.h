// A 4 x 4 piece of the matrix in registers, and where a tile keeps its pieces.
#pragma once

constexpr int TILE = 64;
constexpr int CHUNKS = TILE / 4;  // 16-byte chunks in a row of the tile
constexpr int THREADS = CHUNKS * CHUNKS;

__device__ inline void turn(float4 (&row)[4]) {
  const float4 old[4] = {row[0], row[1], row[2], row[3]};
  row[0] = make_float4(old[0].x, old[1].x, old[2].x, old[3].x);
  row[1] = make_float4(old[0].y, old[1].y, old[2].y, old[3].y);
  row[2] = make_float4(old[0].z, old[1].z, old[2].z, old[3].z);
  row[3] = make_float4(old[0].w, old[1].w, old[2].w, old[3].w);
}

// Rows 4 r to 4 r + 3 of the turned tile keep their chunk c at chunk (c xor r % 8): eight lanes that write
// one chunk of eight such groups, or that read eight chunks of one row, use all banks once.
__device__ inline int kept_at(int row, int chunk) { return row * CHUNKS + (chunk ^ (row / 4 % 8)); }
