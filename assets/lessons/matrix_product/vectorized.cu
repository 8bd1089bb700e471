// The same tiles, moved 16 bytes at a time. The tile of a is stored by columns, so that a thread reads
// its 8 elements of a and of b with two loads of 16 bytes each. The stores that turn the tile have conflicts.

constexpr int TILE = 128;
constexpr int DEPTH = 8;
constexpr int SIDE = 8;
constexpr int THREADS = (TILE / SIDE) * (TILE / SIDE);

extern "C" __global__ void __launch_bounds__(THREADS)
    vectorized(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float left[DEPTH][TILE];
  __shared__ __align__(16) float right[DEPTH][TILE];

  const int x = threadIdx.x % (TILE / SIDE) * SIDE, y = threadIdx.x / (TILE / SIDE) * SIDE;
  // What this thread copies: 4 elements of a row of a, and 4 of a row of b.
  const int a_row = threadIdx.x / 2, a_column = threadIdx.x % 2 * 4;
  const int b_row = threadIdx.x / 32, b_column = threadIdx.x % 32 * 4;
  a += (blockIdx.y * TILE + a_row) * n + a_column;
  b += b_row * n + blockIdx.x * TILE + b_column;
  c += blockIdx.y * TILE * n + blockIdx.x * TILE;

  float sum[SIDE][SIDE] = {};
  for (int first = 0; first < n; first += DEPTH) {
    const float4 of_a = *reinterpret_cast<const float4*>(a + first);
    left[a_column + 0][a_row] = of_a.x;  // @turn
    left[a_column + 1][a_row] = of_a.y;  // @turn
    left[a_column + 2][a_row] = of_a.z;  // @turn
    left[a_column + 3][a_row] = of_a.w;  // @turn
    *reinterpret_cast<float4*>(&right[b_row][b_column]) = *reinterpret_cast<const float4*>(b + first * n);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      float from_a[SIDE], from_b[SIDE];
      for (int i = 0; i < SIDE; i += 4) {
        *reinterpret_cast<float4*>(from_a + i) = *reinterpret_cast<float4*>(&left[k][y + i]);   // @left
        *reinterpret_cast<float4*>(from_b + i) = *reinterpret_cast<float4*>(&right[k][x + i]);  // @right
      }
      for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j) sum[i][j] += from_a[i] * from_b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < SIDE; ++i)
    for (int j = 0; j < SIDE; j += 4)
      *reinterpret_cast<float4*>(c + (y + i) * n + x + j) =
          make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}
