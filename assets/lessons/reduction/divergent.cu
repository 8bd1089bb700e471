// A block adds 256 numbers in a tree: pairs of neighbors first, then pairs of pairs.
// The threads whose number is a multiple of the distance work, so soon a warp has one or two active lanes.

constexpr int THREADS = 256;

extern "C" __global__ void divergent(const int* in, int* sums, int n) {
  __shared__ int partial[THREADS];
  const int thread = threadIdx.x, i = blockIdx.x * THREADS + thread;
  partial[thread] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < THREADS; distance *= 2) {
    if (thread % (2 * distance) == 0) partial[thread] += partial[thread + distance];  // @add
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = partial[0];
}
