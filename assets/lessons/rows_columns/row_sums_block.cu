// Sums along rows, one block per row: its threads walk along the row together.
// At the end they add up their parts in shared memory.
constexpr int THREADS = 256;

extern "C" __global__ void row_sums_block(const float* a, float* sums, int columns, int rows) {
  __shared__ double parts[THREADS];
  const int row = blockIdx.x;
  const int thread = threadIdx.x;

  double part = 0;
  for (int column = thread; column < columns; column += THREADS) {
    const float element = a[row * columns + column];  // @read
    part += element;
  }
  parts[thread] = part;

  for (int half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) parts[thread] += parts[thread + half];
  }
  if (thread == 0) sums[row] = parts[0];  // @write
}
