// fails: conflict_free: the atomic operation takes 32 wavefronts
// A copy for each lane, but all copies of a bin are in one bank.
extern "C" __global__ void interval_sums(const unsigned* times, const unsigned char* values, unsigned* sums,
                                         int count) {
  __shared__ unsigned copies[32][64];
  const int first = blockIdx.x * 2048, end = min(first + 2048, count);
  for (int n = threadIdx.x; n < 32 * 64; n += 256) copies[n / 64][n % 64] = 0;
  __syncthreads();

  unsigned* const own = copies[threadIdx.x % 32];
  for (int i = first + threadIdx.x; i < end; i += 256) atomicAdd(&own[times[i] / 1024], values[i]);  // here
  __syncthreads();

  if (threadIdx.x < 64) {
    unsigned sum = 0;
    for (int copy = 0; copy < 32; ++copy) sum += copies[copy][threadIdx.x];
    atomicAdd(&sums[threadIdx.x], sum);
  }
}
