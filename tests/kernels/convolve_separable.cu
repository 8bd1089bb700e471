// Gaussian blur as two passes in one kernel: along the rows into shared memory, then down the columns.
constexpr int kRadius = 2, kTile = 16;

extern "C" __global__ void convolve_separable(const float* in, float* out, int width, int height) {
  __shared__ float rows[kTile + 2 * kRadius][kTile];
  const float weight[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
  const int x = blockIdx.x * kTile + threadIdx.x;
  for (int line = threadIdx.y; line < kTile + 2 * kRadius; line += blockDim.y) {
    const int y = blockIdx.y * kTile + line - kRadius;
    float sum = 0;
    for (int k = -kRadius; k <= kRadius; ++k) {
      const bool inside = x + k >= 0 && x + k < width && y >= 0 && y < height;
      if (inside) sum += weight[k + kRadius] * in[y * width + x + k];
    }
    rows[line][threadIdx.x] = sum;
  }
  __syncthreads();
  for (int line = threadIdx.y; line < kTile; line += blockDim.y) {
    const int y = blockIdx.y * kTile + line;
    float sum = 0;
    for (int k = 0; k <= 2 * kRadius; ++k) sum += weight[k] * rows[line + k][threadIdx.x];
    if (x < width && y < height) out[y * width + x] = sum;
  }
}
