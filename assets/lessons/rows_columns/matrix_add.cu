// The sum of two matrices, one thread per element: which index of the thread is the column?
// A warp is filled along threadIdx.x first. Swapped, its neighboring lanes go to different rows.
extern "C" __global__ void matrix_add(const float* a, const float* b, float* out, int columns, int rows,
                                      bool swapped) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;

  const int row = swapped ? x : y;
  const int column = swapped ? y : x;
  if (row >= rows || column >= columns) return;

  const int i = row * columns + column;
  const float sum = a[i] + b[i];  // @read
  out[i] = sum;                   // @write
}
