// The sum of two matrices that are stored row by row, one thread for each element: x is the column.
extern "C" __global__ void matrix_add(const float* a, const float* b, float* out, int columns, int rows) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

  const int i = row * columns + column;
  if (row < rows && column < columns) out[i] = a[i] + b[i];
}
