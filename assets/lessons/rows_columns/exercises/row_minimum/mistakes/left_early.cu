// fails: memory: uninitialized
// Threads without a row leave before they have loaded their share.
constexpr int ROWS = 64, COLUMNS = 32;  // of a block, which has a thread for each row

extern "C" __global__ void row_minimum(const float* in, float* least, int rows) {
  __shared__ float tile[ROWS][COLUMNS + 1];
  const int first = blockIdx.x * ROWS, t = threadIdx.x;
  const int count = min(ROWS, rows - first);

  if (t >= count) return;
  for (int i = t; i < count * COLUMNS; i += ROWS) tile[i / COLUMNS][i % COLUMNS] = in[first * COLUMNS + i];
  __syncthreads();

  if (t < count) {
    float smallest = tile[t][0];
    for (int c = 1; c < COLUMNS; ++c) smallest = fminf(smallest, tile[t][c]);  // here
    least[first + t] = smallest;
  }
}
