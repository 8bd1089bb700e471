// fails: sectors: the load at line
// A running sum that reads again what it takes away.
constexpr int ROWS = 16, COLUMNS = 64;  // of a block, which has a thread for each column

// A row outside the image counts as the nearest one inside.
__device__ int inside(int row, int height) { return min(max(row, 0), height - 1); }

extern "C" __global__ void blur(const int* image, int* out, int width, int height) {
  const int x = blockIdx.x * COLUMNS + threadIdx.x, top = blockIdx.y * ROWS;
  if (x >= width) return;

  int sum = 0;
  for (int k = 0; k < 4; ++k) sum += image[inside(top - 2 + k, height) * width + x];

  for (int y = top; y < min(top + ROWS, height); ++y) {
    sum += image[inside(y + 2, height) * width + x];
    out[y * width + x] = sum;
    sum -= image[inside(y - 2, height) * width + x];  // here
  }
}
