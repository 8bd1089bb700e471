// fails: conflict_free: the load takes 3.92 wavefronts
// The first threads work, but on words that are far apart.
constexpr int THREADS = 256;

extern "C" __global__ void reduce(const int* in, int* sums, int n) {
  __shared__ int partial[THREADS];
  const int thread = threadIdx.x, i = blockIdx.x * THREADS + thread;
  partial[thread] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < THREADS; distance *= 2) {
    const int left = 2 * distance * thread;
    if (left < THREADS) partial[left] += partial[left + distance];  // here
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = partial[0];
}
