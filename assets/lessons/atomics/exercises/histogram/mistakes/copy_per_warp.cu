// fails: conflict_free: the atomic operation takes 32 wavefronts
// A copy for each warp: the lanes of a warp still meet in one bin.
extern "C" __global__ void interval_sums(const unsigned* times, const unsigned char* values, unsigned* sums,
                                         int count) {
  __shared__ unsigned copies[8][64 + 1];
  const int first = blockIdx.x * 2048, end = min(first + 2048, count);
  for (int n = threadIdx.x; n < 8 * 65; n += 256) copies[n / 65][n % 65] = 0;
  __syncthreads();

  unsigned* const own = copies[threadIdx.x / 32];
  for (int i = first + threadIdx.x; i < end; i += 256) atomicAdd(&own[times[i] / 1024], values[i]);  // here
  __syncthreads();

  if (threadIdx.x < 64) {
    unsigned sum = 0;
    for (int copy = 0; copy < 8; ++copy) sum += copies[copy][threadIdx.x];
    atomicAdd(&sums[threadIdx.x], sum);
  }
}
