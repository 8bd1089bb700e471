// fails: output: least[0] is 0
// The minimum begins with zero, which is no element of the row.
constexpr int ROWS = 64, COLUMNS = 32;  // of a block, which has a thread for each row

extern "C" __global__ void row_minimum(const float* in, float* least, int rows) {
  __shared__ float tile[ROWS][COLUMNS + 1];
  const int first = blockIdx.x * ROWS, t = threadIdx.x;
  const int count = min(ROWS, rows - first);

  for (int i = t; i < count * COLUMNS; i += ROWS) tile[i / COLUMNS][i % COLUMNS] = in[first * COLUMNS + i];
  __syncthreads();

  if (t < count) {
    float smallest = 0;
    for (int c = 0; c < COLUMNS; ++c) smallest = fminf(smallest, tile[t][c]);
    least[first + t] = smallest;  // here
  }
}
