// Double buffering with cp.async through cuda_pipeline.h: 16 bytes per thread go to shared memory, not through registers.
#include <cuda_pipeline.h>

extern "C" __global__ void async_copy(const float4* in, float* out, int tiles) {
  __shared__ float4 kept[2][64];
  const float4* from = in + blockIdx.x * tiles * 64;
  __pipeline_memcpy_async(&kept[0][threadIdx.x], &from[threadIdx.x], sizeof(float4));
  __pipeline_commit();
  float sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles)
      __pipeline_memcpy_async(&kept[(tile + 1) % 2][threadIdx.x], &from[(tile + 1) * 64 + threadIdx.x], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const float4 four = kept[tile % 2][63 - threadIdx.x];
    sum += four.x - four.y + four.z * four.w;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
