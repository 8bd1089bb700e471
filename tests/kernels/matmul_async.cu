// Tiled matrix product whose next tiles arrive by cp.async while the current ones are multiplied.
#include <cuda_pipeline.h>

extern "C" __global__ void matmul_async(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[2][16][20], tile_b[2][16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  const auto fetch = [&](int k, int stage) {
    __pipeline_memcpy_async(&tile_a[stage][ty][tx], &a[row * n + k + tx], 4);
    if (tx < 4) __pipeline_memcpy_async(&tile_b[stage][ty][4 * tx], &b[(k + ty) * n + blockIdx.x * 16 + 4 * tx], 16);
    __pipeline_commit();
  };
  fetch(0, 0);
  float sum = 0;
  for (int k = 0, stage = 0; k < n; k += 16, stage = 1 - stage) {
    if (k + 16 < n) fetch(k + 16, 1 - stage);
    else __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum = fmaf(tile_a[stage][ty][i], tile_b[stage][i][tx], sum);
    __syncthreads();
  }
  c[row * n + column] = sum;
}
