// Sobel from a tile with a halo, a border of one more pixel on every side: a thread for each pixel written.
// The threads load the tile together, some of them two elements, and then all of them compute.
#include "sobel.h"

extern "C" __global__ void sobel_halo(const unsigned char* image, unsigned char* edges, int width,
                                      int height) {
  constexpr int columns = WIDTH + 2, rows = HEIGHT + 2;
  __shared__ Element tile[rows][columns + PADDING];

  const int left = blockIdx.x * WIDTH - 1, top = blockIdx.y * HEIGHT - 1;
  for (int i = threadIdx.y * WIDTH + threadIdx.x; i < rows * columns; i += WIDTH * HEIGHT) {
    const int row = i / columns, column = i % columns;
    tile[row][column] = image[inside(top + row, height) * width + inside(left + column, width)];
  }

  __syncthreads();

  const int x = left + 1 + threadIdx.x, y = top + 1 + threadIdx.y;
  if (x >= width || y >= height) return;
  const int column = threadIdx.x + 1, row = threadIdx.y + 1;
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
