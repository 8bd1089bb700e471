// fails: memory: move it out of the condition
// A barrier in a branch: not all threads of the block reach it.
extern "C" __global__ void running_sum(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;

  sums[t] = in[i];
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    if (t >= distance) {
      const unsigned before = sums[t - distance];
      __syncthreads();  // here
      sums[t] += before;
    }
    __syncthreads();
  }
  out[i] = sums[t];
}
