// fails: memory: no barrier is between them
// A thread reads rows that the other warp may not have loaded yet.
constexpr int ROWS = 64, COLUMNS = 32;  // of a block, which has a thread for each row

extern "C" __global__ void row_minimum(const float* in, float* least, int rows) {
  __shared__ float tile[ROWS][COLUMNS + 1];
  const int first = blockIdx.x * ROWS, t = threadIdx.x;
  const int count = min(ROWS, rows - first);

  for (int i = t; i < count * COLUMNS; i += ROWS) tile[i / COLUMNS][i % COLUMNS] = in[first * COLUMNS + i];

  if (t < count) {
    float smallest = tile[t][0];  // here
    for (int c = 1; c < COLUMNS; ++c) smallest = fminf(smallest, tile[t][c]);
    least[first + t] = smallest;
  }
}
