// fails: memory: beyond its end
// Blocks at the edge have threads outside of the matrix.
extern "C" __global__ void matrix_add(const float* a, const float* b, float* out, int columns, int rows) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

  const int i = row * columns + column;
  out[i] = a[i] + b[i];  // here
}
