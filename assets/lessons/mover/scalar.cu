// C = A x B the plain way: 16 x 16 threads compute a tile of 16 x 16, one element each.
// A thread has one role only: it moves the elements at its own place, a float of A and a float of B.
constexpr int TILE = 16;

extern "C" __global__ void scalar(const float* a, const float* b, float* c, int columns, int depth) {
  __shared__ float a_tile[TILE][TILE];
  __shared__ float b_tile[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;

  for (int k = 0; k < depth; k += TILE) {
    a_tile[y][x] = a[row * depth + k + x];         // @load
    b_tile[y][x] = b[(k + y) * columns + column];  // @load
    __syncthreads();

    for (int step = 0; step < TILE; ++step) sum += a_tile[y][step] * b_tile[step][x];  // @read
    __syncthreads();
  }
  c[row * columns + column] = sum;
}
