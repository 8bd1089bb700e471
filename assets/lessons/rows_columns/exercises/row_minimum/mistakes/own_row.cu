// fails: coalesced: the load takes 32 sectors per request
// Through shared memory, but each thread loads its own row.
constexpr int ROWS = 64, COLUMNS = 32;  // of a block, which has a thread for each row

extern "C" __global__ void row_minimum(const float* in, float* least, int rows) {
  __shared__ float tile[ROWS][COLUMNS + 1];
  const int first = blockIdx.x * ROWS, t = threadIdx.x;
  const int count = min(ROWS, rows - first);

  if (t < count)
    for (int c = 0; c < COLUMNS; ++c) tile[t][c] = in[(first + t) * COLUMNS + c];  // here
  __syncthreads();

  if (t < count) {
    float smallest = tile[t][0];
    for (int c = 1; c < COLUMNS; ++c) smallest = fminf(smallest, tile[t][c]);
    least[first + t] = smallest;
  }
}
