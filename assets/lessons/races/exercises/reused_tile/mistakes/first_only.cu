// fails: memory: no barrier is between them
// Nothing keeps a fast warp from loading the next tile.
constexpr int THREADS = 128;

extern "C" __global__ void rank(const unsigned* in, int* ranks, int n) {
  __shared__ unsigned tile[THREADS];
  const int i = blockIdx.x * THREADS + threadIdx.x;
  const unsigned own = i < n ? in[i] : 0;

  int smaller = 0;
  for (int first = 0; first < n; first += THREADS) {
    const int count = min(THREADS, n - first);
    if (threadIdx.x < count) tile[threadIdx.x] = in[first + threadIdx.x];  // here
    __syncthreads();                                                       // the tile is there
    for (int k = 0; k < count; ++k) smaller += tile[k] < own;
  }
  if (i < n) ranks[i] = smaller;
}
