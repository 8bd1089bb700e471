// The matrix product c = a b, one thread for each element of c. Neighboring lanes take neighboring ROWS,
// so the lanes of a warp read one column of a and write one column of c: 32 sectors for a request.

extern "C" __global__ void naive(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * 32 + threadIdx.x;
  const int column = blockIdx.x * 32 + threadIdx.y;

  float sum = 0;
  for (int k = 0; k < n; ++k) {
    const float left = a[row * n + k];      // @a
    const float right = b[k * n + column];  // @b
    sum += left * right;
  }
  c[row * n + column] = sum;  // @c
}
