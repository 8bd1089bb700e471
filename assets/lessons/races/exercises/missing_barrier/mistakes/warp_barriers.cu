// fails: memory: no barrier is between them
// Barriers of the warp: reads across the border of two warps are still not ordered.
extern "C" __global__ void running_sum(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;

  sums[t] = in[i];
  __syncwarp();
  for (int distance = 1; distance < 256; distance *= 2) {
    const unsigned before = t >= distance ? sums[t - distance] : 0;  // here
    __syncwarp();
    sums[t] += before;
    __syncwarp();
  }
  out[i] = sums[t];
}
