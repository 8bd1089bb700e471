// The same product with rows and columns exchanged between the lanes: neighboring lanes take neighboring
// COLUMNS. They read one element of a and a row of b, and write a row of c. Nothing else has changed.

extern "C" __global__ void coalesced(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * 32 + threadIdx.y;
  const int column = blockIdx.x * 32 + threadIdx.x;

  float sum = 0;
  for (int k = 0; k < n; ++k) {
    const float left = a[row * n + k];      // @a
    const float right = b[k * n + column];  // @b
    sum += left * right;
  }
  c[row * n + column] = sum;  // @c
}
