// cuda::pipeline with two stages: while a tile is summed, the next one is on its way into shared memory.
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

extern "C" __global__ void pipeline_object(const int* in, int* out, int tiles) {
  __shared__ int kept[2][128];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int* from = in + blockIdx.x * tiles * 128;
  const auto fetch = [&](int tile) {
    pipeline.producer_acquire();
    cuda::memcpy_async(block, kept[tile % 2], from + tile * 128, sizeof(int) * 128, pipeline);
    pipeline.producer_commit();
  };
  fetch(0);
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) fetch(tile + 1);
    pipeline.consumer_wait();
    sum = sum * 5 + kept[tile % 2][127 - threadIdx.x];
    pipeline.consumer_release();
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}
