// The tiled transpose: read a tile by rows, turn it in shared memory, write it by rows.
// Now every global access is a row; the column is read from shared memory, where PADDING
// or SWIZZLE spreads it over the banks, and DIAGONAL spreads the blocks over the partitions.
#include "tile.h"

extern "C" __global__ void transpose_tiled(const Element* in, Element* out, int width, int height) {
  __shared__ Element kept[TILE][TILE + PADDING];

  const uint2 tile = tile_of_block();
  int x = tile.x * TILE + threadIdx.x;
  int y = tile.y * TILE + threadIdx.y;

  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height) {
      const int row = threadIdx.y + j, column = threadIdx.x;
      const Element element = in[(y + j) * width + x];
      kept[row][kept_in(row, column)] = element;
    }

  __syncthreads();

  x = tile.y * TILE + threadIdx.x;
  y = tile.x * TILE + threadIdx.y;

  for (int j = 0; j < TILE; j += ROWS)
    if (x < height && y + j < width) {
      const int row = threadIdx.x, column = threadIdx.y + j;
      const Element element = kept[row][kept_in(row, column)];
      out[(y + j) * height + x] = element;
    }
}
