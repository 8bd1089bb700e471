// ranks[i] is how many elements are smaller than element i. The block looks at all elements, a tile at a
// time.
constexpr int THREADS = 128;

extern "C" __global__ void rank(const unsigned* in, int* ranks, int n) {
  __shared__ unsigned tile[THREADS];
  const int i = blockIdx.x * THREADS + threadIdx.x;
  const unsigned own = i < n ? in[i] : 0;

  int smaller = 0;
  for (int first = 0; first < n; first += THREADS) {
    const int count = min(THREADS, n - first);
    // TODO: threads read what other threads write, in this turn and in the next one.
    if (threadIdx.x < count) tile[threadIdx.x] = in[first + threadIdx.x];
    for (int k = 0; k < count; ++k) smaller += tile[k] < own;
  }
  if (i < n) ranks[i] = smaller;
}
