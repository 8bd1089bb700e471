// fails: output: wrote it
// The barriers are right, but the last step is left out: sums of more than 128 elements are too small.
extern "C" __global__ void running_sum(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;

  sums[t] = in[i];
  __syncthreads();
  for (int distance = 1; distance < 128; distance *= 2) {
    const unsigned before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  out[i] = sums[t];  // here
}
