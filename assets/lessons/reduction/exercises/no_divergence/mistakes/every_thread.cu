// fails: instructions: the first warp executes most
// Every thread adds all 256 numbers: no lane is idle, and no lane helps another.
constexpr int THREADS = 256;

extern "C" __global__ void reduce(const int* in, int* sums, int n) {
  __shared__ int partial[THREADS];
  const int thread = threadIdx.x, i = blockIdx.x * THREADS + thread;
  partial[thread] = i < n ? in[i] : 0;
  __syncthreads();
  int sum = 0;
  for (int other = 0; other < THREADS; ++other) sum += partial[other];  // here
  if (thread == 0) sums[blockIdx.x] = sum;
}
