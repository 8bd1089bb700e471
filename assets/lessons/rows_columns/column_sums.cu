// Sums along columns, one thread per column.
// At every step of the loop the 32 lanes of a warp are neighbors in one row.
extern "C" __global__ void column_sums(const float* a, float* sums, int columns, int rows) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;

  double sum = 0;
  for (int row = 0; row < rows; ++row) {
    const float element = a[row * columns + column];  // @read
    sum += element;
  }
  sums[column] = sum;  // @write
}
