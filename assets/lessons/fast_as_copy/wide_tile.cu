// A tile of 64 x 64: rows of 256 bytes on both sides, and each thread has 8 loads under way instead of 4.

constexpr int TILE = 64, ROWS = 8;

extern "C" __global__ void __launch_bounds__(TILE* ROWS) wide_tile(const float* in, float* out, int n) {
  __shared__ float kept[TILE][TILE + 1];
  const int x = blockIdx.x * TILE, y = blockIdx.y * TILE;

#pragma unroll
  for (int j = 0; j < TILE; j += ROWS)
    kept[threadIdx.y + j][threadIdx.x] =
        in[static_cast<size_t>(y + threadIdx.y + j) * n + x + threadIdx.x];  // @load
  __syncthreads();
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS)
    out[static_cast<size_t>(x + threadIdx.y + j) * n + y + threadIdx.x] =
        kept[threadIdx.x][threadIdx.y + j];  // @store
}
