// Matrix product by tiles of 16 x 16 in shared memory: each element of a tile is fetched once and used 16 times.
extern "C" __global__ void matmul_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    tile_a[ty][tx] = a[row * n + k + tx];
    tile_b[ty][tx] = b[(k + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += tile_a[ty][i] * tile_b[i][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
