// fails: memory: no barrier is between them
// No barrier between the levels: a warp adds sums that another has not finished.
constexpr int THREADS = 256;

extern "C" __global__ void reduce(const int* in, int* sums, int n) {
  __shared__ int partial[THREADS];
  const int thread = threadIdx.x, i = blockIdx.x * THREADS + thread;
  partial[thread] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = THREADS / 2; distance > 0; distance /= 2)
    if (thread < distance) partial[thread] += partial[thread + distance];  // here
  if (thread == 0) sums[blockIdx.x] = partial[0];
}
