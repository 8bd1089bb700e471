// Histogram with atomics shared by a warp: lanes with the same bin elect one of them, which adds for all.
extern "C" __global__ void histogram_aggregated(const unsigned* in, unsigned* bins) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned bin = in[blockIdx.x * blockDim.x + threadIdx.x] >> 28;
  const unsigned same = __match_any_sync(0xffffffffu, bin);
  const unsigned leader = __ffs(same) - 1;
  if (lane == leader) atomicAdd(&bins[bin], static_cast<unsigned>(__popc(same)));
}
