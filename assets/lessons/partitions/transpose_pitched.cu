// The tiled transpose whose output rows may be longer than they need to be.
// Bank conflicts are out of the way here: what is left is which DRAM partitions the blocks in flight write
// to. DIAGONAL changes which tile a block takes, `pitch` where the rows of the output begin.
#include "tile.h"

extern "C" __global__ void transpose_pitched(const float* in, float* out, int width, int height, int pitch) {
  __shared__ float kept[TILE][TILE + 1];

  const uint2 tile = tile_of_block();
  int x = tile.x * TILE + threadIdx.x;
  int y = tile.y * TILE + threadIdx.y;

  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height) {
      const float element = in[(y + j) * width + x];
      kept[threadIdx.y + j][threadIdx.x] = element;
    }

  __syncthreads();

  x = tile.y * TILE + threadIdx.x;
  y = tile.x * TILE + threadIdx.y;

  for (int j = 0; j < TILE; j += ROWS)
    if (x < height && y + j < width) {
      const float element = kept[threadIdx.x][threadIdx.y + j];
      out[(y + j) * pitch + x] = element;
    }
}

// What `out` must hold: the same element by element. The margin of a row is never written.
extern "C" __global__ void transpose_elements(const float* in, float* out, int width, int height, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x < width) out[x * pitch + y] = in[y * width + x];
}
