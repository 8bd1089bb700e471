// Half a transpose, coarse-grained: move each tile to its place, leave the elements inside unturned.
// Everything a transpose does to global memory, and the shared accesses of a copy.
#include "tile.h"

extern "C" __global__ void transpose_coarse_grained(const Element* in, Element* out, int width, int height) {
  __shared__ Element kept[TILE][TILE + PADDING];

  const uint2 tile = tile_of_block();
  int x = tile.x * TILE + threadIdx.x;
  int y = tile.y * TILE + threadIdx.y;

  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height) {
      const Element element = in[(y + j) * width + x];
      kept[threadIdx.y + j][threadIdx.x] = element;
    }

  __syncthreads();

  x = tile.y * TILE + threadIdx.x;
  y = tile.x * TILE + threadIdx.y;

  // At the ragged edge only elements that the tile has and that the output has room for.
  for (int j = 0; j < TILE; j += ROWS) {
    const bool inside = tile.x * TILE + threadIdx.x < width && tile.y * TILE + threadIdx.y + j < height;
    if (inside && x < height && y + j < width) {
      const Element element = kept[threadIdx.y + j][threadIdx.x];
      out[(y + j) * height + x] = element;
    }
  }
}
