// A block keeps a tile of a and a tile of b in shared memory and multiplies from there:
// each element that it loads from global memory is used 32 times.

constexpr int TILE = 32;

extern "C" __global__ void __launch_bounds__(TILE* TILE)
    shared_tile(const float* a, const float* b, float* c, int n) {
  __shared__ float left[TILE][TILE];
  __shared__ float right[TILE][TILE];

  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * TILE + y;
  const int column = blockIdx.x * TILE + x;

  float sum = 0;
  for (int first = 0; first < n; first += TILE) {
    left[y][x] = a[row * n + first + x];
    right[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += left[y][k] * right[k][x];  // @inner
    __syncthreads();
  }
  c[row * n + column] = sum;
}
