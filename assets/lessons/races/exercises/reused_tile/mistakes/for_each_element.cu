// fails: barriers: barriers, and at most 8 are allowed
// A barrier for each element.
constexpr int THREADS = 128;

extern "C" __global__ void rank(const unsigned* in, int* ranks, int n) {
  __shared__ unsigned tile[THREADS];
  const int i = blockIdx.x * THREADS + threadIdx.x;
  const unsigned own = i < n ? in[i] : 0;

  int smaller = 0;
  for (int first = 0; first < n; first += THREADS) {
    const int count = min(THREADS, n - first);
    if (threadIdx.x < count) tile[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();  // the tile is there
    for (int k = 0; k < count; ++k) {
      smaller += tile[k] < own;
      __syncthreads();  // here
    }
  }
  if (i < n) ranks[i] = smaller;
}
