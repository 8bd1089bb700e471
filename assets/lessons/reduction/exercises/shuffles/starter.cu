// A block adds 256 numbers, in a tree of eight levels in shared memory with a barrier for each.
constexpr int THREADS = 256;

extern "C" __global__ void reduce(const int* in, int* sums, int n) {
  __shared__ int partial[THREADS];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;

  // TODO: within a warp, registers can be passed on by shuffles: no shared memory, no barrier.
  partial[t] = i < n ? in[i] : 0;
  for (int distance = THREADS / 2; distance > 0; distance /= 2) {
    __syncthreads();
    if (t < distance) partial[t] += partial[t + distance];
  }
  if (t == 0) sums[blockIdx.x] = partial[0];
}
