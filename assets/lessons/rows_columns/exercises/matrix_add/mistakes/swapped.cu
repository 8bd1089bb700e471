// fails: output: out[0][128] is not written
// x is the row and y the column, but the grid has its blocks for columns along x.
extern "C" __global__ void matrix_add(const float* a, const float* b, float* out, int columns, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;

  const int i = row * columns + column;
  if (row < rows && column < columns) out[i] = a[i] + b[i];
}
