// What the kernels of this lesson must write: one thread for each element, in the order of k.

extern "C" __global__ void plain_row_sums(const float* a, float* row_sums, int depth) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < depth; ++k) sum += a[row * depth + k];
  row_sums[row] = sum;
}

extern "C" __global__ void plain_column_sums(const float* b, float* column_sums, int columns, int depth) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < depth; ++k) sum += b[k * columns + column];
  column_sums[column] = sum;
}

extern "C" __global__ void plain_product(const float* a, const float* b, float* c, int columns, int depth) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  float sum = 0;
  for (int k = 0; k < depth; ++k) sum += a[row * depth + k] * b[k * columns + column];
  c[row * columns + column] = sum;
}

// The number of the thread that computes each element of a tile of 128 x 128.
extern "C" __global__ void plain_roles(int* computed, int split) {
  const int column = threadIdx.x, row = blockIdx.x;
  const int across = split ? column % 64 / 4 : column / 8;
  computed[row * blockDim.x + column] = row / 8 * 16 + across;
}
