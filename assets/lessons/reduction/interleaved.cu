// The same tree, worked on by the first threads: no warp diverges as long as a whole warp is left.
// But the lanes of a warp now reach for words that are 2, 4, 8, ... apart.

constexpr int THREADS = 256;

extern "C" __global__ void interleaved(const int* in, int* sums, int n) {
  __shared__ int partial[THREADS];
  const int thread = threadIdx.x, i = blockIdx.x * THREADS + thread;
  partial[thread] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < THREADS; distance *= 2) {
    const int left = 2 * distance * thread;
    if (left < THREADS) partial[left] += partial[left + distance];  // @add
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = partial[0];
}
