// Sum of each block by shuffles: a warp adds up in registers, shared memory carries one number per warp.
__device__ float sum_of_warp(float value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

extern "C" __global__ void reduce_shuffle(const float* in, float* sums, int count) {
  __shared__ float of_warp[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += in[i];
  sum = sum_of_warp(sum);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0.0f;
    sum = sum_of_warp(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  }
}
