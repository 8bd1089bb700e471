// Each element becomes the sum of five: its own, two above and two below. A thread has a column of 16.
constexpr int ROWS = 16, COLUMNS = 64;  // of a block, which has a thread for each column

// A row outside the image counts as the nearest one inside.
__device__ int inside(int row, int height) { return min(max(row, 0), height - 1); }

extern "C" __global__ void blur(const int* image, int* out, int width, int height) {
  const int x = blockIdx.x * COLUMNS + threadIdx.x, top = blockIdx.y * ROWS;
  if (x >= width) return;

  for (int y = top; y < min(top + ROWS, height); ++y) {
    // TODO: four of these five were read for the row above.
    int sum = 0;
    for (int k = -2; k <= 2; ++k) sum += image[inside(y + k, height) * width + x];
    out[y * width + x] = sum;
  }
}
