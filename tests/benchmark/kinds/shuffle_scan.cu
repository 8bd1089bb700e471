// Running sums of 256 numbers a block: by shuffles within a warp, then over the warps' sums.
extern "C" __global__ void shuffle_scan(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[8];
  const unsigned x = blockIdx.x * 256 + threadIdx.x;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned value = in[x];
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned other = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += other;
  }
  if (lane == 31) sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    unsigned sum = lane < 8 ? sums[lane] : 0;
    for (unsigned distance = 1; distance < 8; distance *= 2) {
      const unsigned other = __shfl_up_sync(0xffffffffu, sum, distance);
      if (lane >= distance) sum += other;
    }
    if (lane < 8) sums[lane] = sum;
  }
  __syncthreads();
  out[x] = value + (warp > 0 ? sums[warp - 1] : 0);
}
