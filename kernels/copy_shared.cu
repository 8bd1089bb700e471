// Copy through shared memory: what the detour over a tile costs when nothing is turned.
// A warp writes and reads rows of the tile, so no bank is asked twice.
#include "tile.h"

extern "C" __global__ void copy_shared(const Element* in, Element* out, int width, int height) {
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

  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height) {
      const Element element = kept[threadIdx.y + j][threadIdx.x];
      out[(y + j) * width + x] = element;
    }
}
