// fails: coalesced: the load takes 32 sectors
// Inside a block x is the row: the 32 lanes of a warp are in 32 rows.
extern "C" __global__ void matrix_add(const float* a, const float* b, float* out, int columns, int rows) {
  const int column = blockIdx.x * blockDim.x + threadIdx.y;
  const int row = blockIdx.y * blockDim.y + threadIdx.x;

  const int i = row * columns + column;
  if (row < rows && column < columns) out[i] = a[i] + b[i];  // here
}
