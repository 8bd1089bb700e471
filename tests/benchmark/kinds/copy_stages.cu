// The product of two matrices by tiles of 16 x 16, of which the next two are copied while one is used:
// cp.async with commit groups.
#include <cuda_pipeline.h>

extern "C" __global__ void copy_stages(const float* a, const float* b, float* c, int n) {
  constexpr int kTile = 16, kStages = 3;
  __shared__ float a_tile[kStages][kTile][kTile];
  __shared__ float b_tile[kStages][kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * kTile + x, row = blockIdx.y * kTile + y;
  const auto fill = [&](int step) {
    if (step * kTile < n) {
      __pipeline_memcpy_async(&a_tile[step % kStages][y][x], &a[row * n + step * kTile + x], 4);
      __pipeline_memcpy_async(&b_tile[step % kStages][y][x], &b[(step * kTile + y) * n + column], 4);
    }
    __pipeline_commit();
  };
  for (int step = 0; step < kStages - 1; ++step) fill(step);
  float sum = 0;
  for (int step = 0; step * kTile < n; ++step) {
    fill(step + kStages - 1);
    __pipeline_wait_prior(kStages - 1);
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[step % kStages][y][k] * b_tile[step % kStages][k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
