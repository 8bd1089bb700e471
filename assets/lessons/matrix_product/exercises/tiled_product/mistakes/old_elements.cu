// fails: memory: uninitialized
// Outside the matrix the tiles keep what the last turn has left there.
constexpr int TILE = 16;

extern "C" __global__ void product(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  __shared__ unsigned left[TILE][TILE], right[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;

  unsigned sum = 0;
  for (int first = 0; first < n; first += TILE) {
    if (row < n && first + x < n) left[y][x] = a[row * n + first + x];
    if (first + y < n && column < n) right[y][x] = b[(first + y) * n + column];
    __syncthreads();                                                 // both tiles are there
    for (int k = 0; k < TILE; ++k) sum += left[y][k] * right[k][x];  // here
    __syncthreads();                                                 // nobody needs them any more
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
