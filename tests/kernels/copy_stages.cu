// Four buffers in turn through cuda::pipeline: three tiles are on their way into shared memory while one is summed.
#include <cuda/pipeline>

extern "C" __global__ void copy_stages(const int4* in, int* out, int tiles) {
  constexpr int kStages = 4;
  __shared__ int4 kept[kStages][64];
  auto pipeline = cuda::make_pipeline();
  const int4* from = in + blockIdx.x * tiles * 64;
  int sum = 0;
  for (int tile = 0, next = 0; tile < tiles; ++tile) {
    for (; next < tile + kStages; ++next) {
      pipeline.producer_acquire();
      if (next < tiles)
        cuda::memcpy_async(&kept[next % kStages][threadIdx.x], &from[next * 64 + threadIdx.x],
                           cuda::aligned_size_t<16>(sizeof(int4)), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    __syncthreads();
    const int4 four = kept[tile % kStages][63 - threadIdx.x];
    sum = sum * 5 + four.x - four.y + four.z * four.w;
    pipeline.consumer_release();
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
