// fails: memory: no barrier is between them
// Without the barrier after the reads a thread changes a sum that another one has yet to read.
extern "C" __global__ void running_sum(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;

  sums[t] = in[i];
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    const unsigned before = t >= distance ? sums[t - distance] : 0;
    sums[t] += before;  // here
    __syncthreads();
  }
  out[i] = sums[t];
}
