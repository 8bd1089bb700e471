// Apple's OpenCL example of 2009, in CUDA: 64 threads transpose a tile of 32 x 32, two rows at a time.
// So each thread loads 16 elements, waits once, and stores 16.
// A row of the tile has PADDING elements more than 32; a row of the output has `pitch` elements.
#include "tile.h"

constexpr int ROWS_AT_A_TIME = 2;

extern "C" __global__ void transpose_64_threads(const float* in, float* out, int width, int height,
                                                int pitch) {
  __shared__ float kept[TILE][TILE + PADDING];

  const int row = threadIdx.x / TILE, column = threadIdx.x % TILE;
  int x = blockIdx.x * TILE + column;
  int y = blockIdx.y * TILE + row;

  for (int j = 0; j < TILE; j += ROWS_AT_A_TIME)
    if (x < width && y + j < height) {
      const float element = in[(y + j) * width + x];
      kept[row + j][column] = element;
    }

  __syncthreads();

  x = blockIdx.y * TILE + column;
  y = blockIdx.x * TILE + row;

  for (int j = 0; j < TILE; j += ROWS_AT_A_TIME)
    if (x < height && y + j < width) {
      const float element = kept[column][row + j];
      out[(y + j) * pitch + x] = element;
    }
}

// What `out` must hold: the same element by element. The margin of a row is never written.
extern "C" __global__ void transpose_elements(const float* in, float* out, int width, int height, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x < width) out[x * pitch + y] = in[y * width + x];
}
