// fails: conflict_free: the load takes 16 wavefronts
// Two rows more, where the rows had to be longer.
constexpr int ROWS = 16, COLUMNS = 64, THREADS = 256;

extern "C" __global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[ROWS + 2][COLUMNS];
  const int left = blockIdx.x * COLUMNS, top = blockIdx.y * ROWS;

  for (int i = threadIdx.x; i < ROWS * COLUMNS; i += THREADS) {
    const int row = i / COLUMNS, column = i % COLUMNS;
    if (left + column < width && top + row < height)
      tile[row][column] = in[(top + row) * width + left + column];
  }
  __syncthreads();

  for (int i = threadIdx.x; i < ROWS * COLUMNS; i += THREADS) {
    const int row = i % ROWS, column = i / ROWS;
    if (left + column < width && top + row < height)
      out[(left + column) * height + top + row] = tile[row][column];  // here
  }
}
