// Sum of each block, sequential: the upper half is added to the lower half, then again.
// The working threads are the first ones, and a warp's words are contiguous: no divergence, no conflicts.
extern "C" __global__ void reduce_sequential(const float* in, float* sums) {
  __shared__ float kept[256];
  kept[threadIdx.x] = in[blockIdx.x * 512 + threadIdx.x] + in[blockIdx.x * 512 + 256 + threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) kept[threadIdx.x] += kept[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = kept[0];
}
