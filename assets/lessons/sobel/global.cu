// Sobel from global memory: every thread reads the eight neighbors of its pixel.
// Two pixels side by side have four neighbors in common, so most bytes are requested again and again.
#include "sobel.h"

extern "C" __global__ void sobel_global(const unsigned char* image, unsigned char* edges, int width,
                                        int height) {
  const int x = blockIdx.x * WIDTH + threadIdx.x;
  const int y = blockIdx.y * HEIGHT + threadIdx.y;
  if (x >= width || y >= height) return;

  const int left = inside(x - 1, width), right = inside(x + 1, width);
  const unsigned char* const above = image + inside(y - 1, height) * width;
  const unsigned char* const row = image + y * width;
  const unsigned char* const below = image + inside(y + 1, height) * width;

  Neighbors p;
  p.nw = above[left];              // @left
  p.n = above[x];                  // @middle
  p.ne = above[right];             // @right
  p.w = row[left];                 // @left
  p.e = row[right];                // @right
  p.sw = below[left];              // @left
  p.s = below[x];                  // @middle
  p.se = below[right];             // @right
  edges[y * width + x] = edge(p);  // @write
}
