// Copy: what every transpose is measured against.
// A warp reads one row of 32 elements and writes it to the same place.
#include "tile.h"

extern "C" __global__ void copy(const Element* in, Element* out, int width, int height) {
  const uint2 tile = tile_of_block();
  const int x = tile.x * TILE + threadIdx.x;
  const int y = tile.y * TILE + threadIdx.y;

  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height) {
      const Element element = in[(y + j) * width + x];
      out[(y + j) * width + x] = element;
    }
}
