// Sum of each block, interleaved: a thread adds its neighbor at a distance that doubles.
// The working threads are ever further apart, so every warp diverges from the first step on.
extern "C" __global__ void reduce_interleaved(const float* in, float* sums) {
  __shared__ float kept[256];
  kept[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    if (threadIdx.x % (2 * distance) == 0) kept[threadIdx.x] += kept[threadIdx.x + distance];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = kept[0];
}
