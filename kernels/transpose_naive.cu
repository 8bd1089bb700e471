// The naive transpose: read a row, write a column.
// The 32 lanes of a warp write to 32 different lines: every store needs 32 sectors.
#include "tile.h"

extern "C" __global__ void transpose_naive(const Element* in, Element* out, int width, int height) {
  const uint2 tile = tile_of_block();
  const int x = tile.x * TILE + threadIdx.x;
  const int y = tile.y * TILE + threadIdx.y;

  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height) {
      const Element element = in[(y + j) * width + x];
      out[x * height + (y + j)] = element;
    }
}
