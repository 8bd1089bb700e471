// Matrix product with 16-byte accesses: a thread computes four neighbors of a row, and moves them as one float4.
extern "C" __global__ void matmul_vectorised(const float4* a, const float4* b, float4* c, int n) {
  __shared__ float4 tile_a[16][4], tile_b[16][16];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int row = blockIdx.y * 16 + ty, quads = n / 4;
  float4 sum = {0, 0, 0, 0};
  for (int k = 0; k < n; k += 16) {
    if (tx < 4) tile_a[ty][tx] = a[row * quads + k / 4 + tx];
    tile_b[ty][tx] = b[(k + ty) * quads + blockIdx.x * 16 + tx];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float4 left = tile_a[ty][i];
      const float x[4] = {left.x, left.y, left.z, left.w};
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const float4 right = tile_b[4 * i + j][tx];
        sum.x += x[j] * right.x;
        sum.y += x[j] * right.y;
        sum.z += x[j] * right.z;
        sum.w += x[j] * right.w;
      }
    }
    __syncthreads();
  }
  c[row * quads + blockIdx.x * 16 + tx] = sum;
}
