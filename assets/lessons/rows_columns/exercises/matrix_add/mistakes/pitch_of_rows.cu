// fails: output: out[64][128] is not written
// The pitch of a matrix is the number of its columns.
extern "C" __global__ void matrix_add(const float* a, const float* b, float* out, int columns, int rows) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

  const int i = row * rows + column;
  if (row < rows && column < columns) out[i] = a[i] + b[i];
}
