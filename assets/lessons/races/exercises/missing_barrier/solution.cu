// Each block adds up its elements: out[i] is the sum of the elements of the block up to the i-th.
// In a step each thread adds what the thread `distance` before it has; the distance doubles.
extern "C" __global__ void running_sum(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;

  sums[t] = in[i];
  __syncthreads();  // all elements are in shared memory
  for (int distance = 1; distance < 256; distance *= 2) {
    const unsigned before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();  // all have read the sums of the last step
    sums[t] += before;
    __syncthreads();  // all have written the sums of this step
  }
  out[i] = sums[t];
}
