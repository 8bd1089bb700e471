// fails: output: wrote it
// A row has `columns` elements, not `rows`.
extern "C" __global__ void column_sums(const float* a, float* sums, int columns, int rows) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;

  double sum = 0;
  for (int row = 0; row < rows; ++row) sum += a[row * rows + column];
  sums[column] = sum;  // here
}
