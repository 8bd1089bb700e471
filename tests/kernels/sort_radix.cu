// Radix sort of 256 numbers, one bit at a time, by ballots: zeros keep their order in front, ones follow.
extern "C" __global__ void sort_radix(const unsigned* in, unsigned* out) {
  __shared__ unsigned kept[256];
  __shared__ unsigned zeros_of_warp[8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned value = in[blockIdx.x * 256 + threadIdx.x];
  for (int bit = 0; bit < 32; ++bit) {
    const bool one = value >> bit & 1;
    const unsigned zeros = __ballot_sync(0xffffffffu, !one);
    if (lane == 0) zeros_of_warp[warp] = __popc(zeros);
    __syncthreads();
    unsigned zeros_before = __popc(zeros & ((1u << lane) - 1)), all_zeros = 0;
    for (unsigned other = 0; other < 8; ++other) {
      if (other < warp) zeros_before += zeros_of_warp[other];
      all_zeros += zeros_of_warp[other];
    }
    kept[one ? all_zeros + threadIdx.x - zeros_before : zeros_before] = value;
    __syncthreads();
    value = kept[threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = value;
}
