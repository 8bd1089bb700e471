// Sum of each block, interleaved, but with the first threads doing the work: no divergence inside a warp, and instead
// bank conflicts, since a warp's words are 2, 4, 8, ... apart.
extern "C" __global__ void reduce_strided(const float* in, float* sums) {
  __shared__ float kept[256];
  kept[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    const int index = 2 * distance * threadIdx.x;
    if (index < 256) kept[index] += kept[index + distance];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = kept[0];
}
