// Sobel from a tile in shared memory: a thread for each pixel of the tile, its border included.
// Only the threads inside the border have all their neighbors in the tile, and write.
#include "sobel.h"

extern "C" __global__ void sobel_tile(const unsigned char* image, unsigned char* edges, int width,
                                      int height) {
  __shared__ Element tile[HEIGHT][WIDTH + PADDING];

  const int column = threadIdx.x, row = threadIdx.y;
  const int x = blockIdx.x * (WIDTH - 2) + column - 1;
  const int y = blockIdx.y * (HEIGHT - 2) + row - 1;
  tile[row][column] = image[inside(y, height) * width + inside(x, width)];

  __syncthreads();

  if (column == 0 || column == WIDTH - 1 || row == 0 || row == HEIGHT - 1) return;
  if (x >= width || y >= height) return;
  Neighbors p;
  p.nw = tile[row - 1][column - 1];  // @neighbor
  p.n = tile[row - 1][column];       // @neighbor
  p.ne = tile[row - 1][column + 1];  // @neighbor
  p.w = tile[row][column - 1];       // @neighbor
  p.e = tile[row][column + 1];       // @neighbor
  p.sw = tile[row + 1][column - 1];  // @neighbor
  p.s = tile[row + 1][column];       // @neighbor
  p.se = tile[row + 1][column + 1];  // @neighbor
  edges[y * width + x] = edge(p);    // @write
}
