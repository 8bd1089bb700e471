// fails: memory: before the start of 'image'
// Above the first row there is no image.
constexpr int ROWS = 16, COLUMNS = 64;  // of a block, which has a thread for each column

// A row outside the image counts as the nearest one inside.
__device__ int inside(int row, int height) { return min(max(row, 0), height - 1); }

extern "C" __global__ void blur(const int* image, int* out, int width, int height) {
  const int x = blockIdx.x * COLUMNS + threadIdx.x, top = blockIdx.y * ROWS;
  if (x >= width) return;

  int window[5];
  for (int k = 0; k < 4; ++k) window[k] = image[(top - 2 + k) * width + x];  // here

  for (int y = top; y < min(top + ROWS, height); ++y) {
    window[4] = image[inside(y + 2, height) * width + x];
    out[y * width + x] = window[0] + window[1] + window[2] + window[3] + window[4];
    for (int k = 0; k < 4; ++k) window[k] = window[k + 1];
  }
}
