// Half a transpose, fine-grained: turn the elements inside each tile, leave the tile in its place.
// Everything a transpose does in shared memory, and the global accesses of a copy.
#include "tile.h"

extern "C" __global__ void transpose_fine_grained(const Element* in, Element* out, int width, int height) {
  __shared__ Element kept[TILE][TILE + PADDING];

  const uint2 tile = tile_of_block();
  const int x = tile.x * TILE + threadIdx.x;
  const int y = tile.y * TILE + threadIdx.y;

  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height) {
      const Element element = in[(y + j) * width + x];
      kept[threadIdx.y + j][threadIdx.x] = element;
    }

  __syncthreads();

  // At the ragged edge the mirrored element may lie outside: then the element stays.
  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height) {
      const int row = threadIdx.x, column = threadIdx.y + j;
      const bool inside = tile.x * TILE + column < width && tile.y * TILE + row < height;
      const Element element = inside ? kept[row][column] : kept[column][row];
      out[(y + j) * width + x] = element;
    }
}
