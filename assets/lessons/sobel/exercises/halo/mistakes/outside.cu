// fails: memory: before the start of 'image'
// The halo of the first and of the last blocks reaches out of the image.
constexpr int WIDTH = 32, HEIGHT = 8;  // of a block: a thread for each pixel that is written

// A coordinate outside the image counts as the nearest one inside.
__device__ int inside(int at, int size) { return min(max(at, 0), size - 1); }

extern "C" __global__ void sobel(const unsigned char* image, unsigned char* edges, int width, int height) {
  __shared__ unsigned char tile[HEIGHT + 2][WIDTH + 2];                    // a pixel more on every side
  const int left = blockIdx.x * WIDTH - 1, top = blockIdx.y * HEIGHT - 1;  // of the tile, in the image

  for (int i = threadIdx.y * WIDTH + threadIdx.x; i < (HEIGHT + 2) * (WIDTH + 2); i += WIDTH * HEIGHT) {
    const int row = i / (WIDTH + 2), column = i % (WIDTH + 2);
    tile[row][column] = image[(top + row) * width + left + column];  // here
  }

  __syncthreads();

  const int x = left + 1 + threadIdx.x, y = top + 1 + threadIdx.y;
  if (x >= width || y >= height) return;
  const int column = threadIdx.x + 1, row = threadIdx.y + 1;
  const int nw = tile[row - 1][column - 1], n = tile[row - 1][column], ne = tile[row - 1][column + 1];
  const int w = tile[row][column - 1], e = tile[row][column + 1];
  const int sw = tile[row + 1][column - 1], s = tile[row + 1][column], se = tile[row + 1][column + 1];
  const int across = (ne + 2 * e + se) - (nw + 2 * w + sw);
  const int down = (sw + 2 * s + se) - (nw + 2 * n + ne);
  edges[y * width + x] = min(abs(across) + abs(down), 255);
}
