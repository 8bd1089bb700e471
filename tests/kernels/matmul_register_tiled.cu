// Matrix product with 4 x 4 results per thread in registers: eight words read for sixteen multiply-adds.
extern "C" __global__ void matmul_register_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[8][64 + 1], tile_b[8][64];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int row = blockIdx.y * 64, column = blockIdx.x * 64;
  float sum[4][4] = {};
  for (int k = 0; k < n; k += 8) {
    for (int i = threadIdx.x; i < 512; i += 256) {
      tile_a[i % 8][i / 8] = a[(row + i / 8) * n + k + i % 8];
      tile_b[i / 64][i % 64] = b[(k + i / 64) * n + column + i % 64];
    }
    __syncthreads();
#pragma unroll
    for (int step = 0; step < 8; ++step)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] += tile_a[step][ty * 4 + i] * tile_b[step][tx + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) c[(row + ty * 4 + i) * n + column + tx + 16 * j] = sum[i][j];
}
