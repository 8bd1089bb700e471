// fails: output: wrote it
// The last level, of distance 1, is left out.
constexpr int THREADS = 256;

extern "C" __global__ void reduce(const int* in, int* sums, int n) {
  __shared__ int partial[THREADS];
  const int thread = threadIdx.x, i = blockIdx.x * THREADS + thread;
  partial[thread] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = THREADS / 2; distance > 1; distance /= 2) {
    if (thread < distance) partial[thread] += partial[thread + distance];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = partial[0];  // here
}
