// fails: sectors: of them
// The sum is kept in global memory: it is read and written for each row.
extern "C" __global__ void column_sums(const float* a, float* sums, int columns, int rows) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;

  volatile float* const sum = &sums[column];
  *sum = 0;
  for (int row = 0; row < rows; ++row) *sum = *sum + a[row * columns + column];  // here
}
