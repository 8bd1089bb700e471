// The vectorized kernel without conflicts. PADDING shifts each column of a by some banks, so the stores that
// turn the tile do not collide. With HALVES a thread's 8 columns are two groups of 4, TILE / 2 apart, so
// neighboring lanes read neighboring 16 bytes.

#ifndef PADDING
#define PADDING 4  // unused words after each column of a; 16-byte loads need a multiple of 4
#endif
#ifndef HALVES
#define HALVES 1
#endif

constexpr int TILE = 128;
constexpr int DEPTH = 8;
constexpr int SIDE = 8;
constexpr int THREADS = (TILE / SIDE) * (TILE / SIDE);
constexpr int WIDTH = HALVES ? 4 : SIDE;      // neighboring elements of a thread
constexpr int APART = HALVES ? TILE / 2 : 4;  // from its first 4 elements to the next 4

extern "C" __global__ void __launch_bounds__(THREADS)
    conflict_free(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float left[DEPTH][TILE + PADDING];
  __shared__ __align__(16) float right[DEPTH][TILE];

  const int x = threadIdx.x % (TILE / SIDE) * WIDTH, y = threadIdx.x / (TILE / SIDE) * WIDTH;
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
      for (int half = 0; half < 2; ++half) {
        *reinterpret_cast<float4*>(from_a + 4 * half) =
            *reinterpret_cast<float4*>(&left[k][y + half * APART]);  // @left
        *reinterpret_cast<float4*>(from_b + 4 * half) =
            *reinterpret_cast<float4*>(&right[k][x + half * APART]);  // @right
      }
      for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j) sum[i][j] += from_a[i] * from_b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < SIDE; ++i)
    for (int j = 0; j < SIDE; j += 4)
      *reinterpret_cast<float4*>(c + (y + i / 4 * APART + i % 4) * n + x + j / 4 * APART) =
          make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}
