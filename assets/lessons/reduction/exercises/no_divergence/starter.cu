// A block adds 256 numbers. Finish the tree so that the threads that work are neighbors, and their words too.
constexpr int THREADS = 256;

extern "C" __global__ void reduce(const int* in, int* sums, int n) {
  __shared__ int partial[THREADS];
  const int thread = threadIdx.x, i = blockIdx.x * THREADS + thread;
  partial[thread] = i < n ? in[i] : 0;
  __syncthreads();

  // TODO: add up partial[] so that the sum is in partial[0].

  if (thread == 0) sums[blockIdx.x] = partial[0];
}
