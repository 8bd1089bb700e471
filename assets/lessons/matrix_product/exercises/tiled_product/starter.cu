// c = a b, for square matrices of n x n elements. Each thread reads a row of a and a column of b.
constexpr int TILE = 16;

extern "C" __global__ void product(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  if (row >= n || column >= n) return;

  // TODO: 16 threads of the block read the same element. Load tiles of a and b into shared memory first.
  unsigned sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
