// A thread computes 8 elements of one column of c and keeps the 8 sums in registers.
// An element of b is read from shared memory once for 8 multiplications.

constexpr int TILE = 64;  // a block computes TILE x TILE elements of c
constexpr int DEPTH = 8;  // columns of a, and rows of b, in shared memory at a time
constexpr int COUNT = 8;  // elements of a thread

extern "C" __global__ void __launch_bounds__(TILE* TILE / COUNT)
    registers_1d(const float* a, const float* b, float* c, int n) {
  __shared__ float left[TILE][DEPTH];
  __shared__ float right[DEPTH][TILE];

  const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  a += blockIdx.y * TILE * n;
  b += blockIdx.x * TILE;
  c += blockIdx.y * TILE * n + blockIdx.x * TILE;

  float sum[COUNT] = {};
  for (int first = 0; first < n; first += DEPTH) {
    left[threadIdx.x / DEPTH][threadIdx.x % DEPTH] = a[threadIdx.x / DEPTH * n + first + threadIdx.x % DEPTH];
    right[y][x] = b[(first + y) * n + x];
    __syncthreads();
    for (int k = 0; k < DEPTH; ++k) {
      const float of_b = right[k][x];
      for (int i = 0; i < COUNT; ++i) sum[i] += left[y * COUNT + i][k] * of_b;  // @inner
    }
    __syncthreads();
  }
  for (int i = 0; i < COUNT; ++i) c[(y * COUNT + i) * n + x] = sum[i];
}
