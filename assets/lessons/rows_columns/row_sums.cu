// Sums along rows, one thread per row.
// At every step of the loop the 32 lanes of a warp are in 32 different rows.
extern "C" __global__ void row_sums(const float* a, float* sums, int columns, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;

  double sum = 0;
  for (int column = 0; column < columns; ++column) {
    const float element = a[row * columns + column];  // @read
    sum += element;
  }
  sums[row] = sum;  // @write
}
