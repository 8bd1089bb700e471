// fails: active_share: most lanes are idle
// Neighbors are added first, by threads that are spread over all warps.
constexpr int THREADS = 256;

extern "C" __global__ void reduce(const int* in, int* sums, int n) {
  __shared__ int partial[THREADS];
  const int thread = threadIdx.x, i = blockIdx.x * THREADS + thread;
  partial[thread] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < THREADS; distance *= 2) {
    if (thread % (2 * distance) == 0) partial[thread] += partial[thread + distance];  // here
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = partial[0];
}
