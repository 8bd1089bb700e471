// One thread copies whole tiles by cp.async.bulk into two buffers in turn; a barrier object for each counts the bytes. The sums go back
// to global memory by a bulk copy too.
#include <cuda/barrier>
#include <cuda/ptx>

extern "C" __global__ void bulk_copy(const int* in, int* out, int tiles) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(16) int kept[2][128];
  __shared__ alignas(16) int sums[128];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier full[2];
  if (threadIdx.x < 2) init(&full[threadIdx.x], 128);
  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  __syncthreads();
  const auto fetch = [&](int tile) {
    Barrier& its = full[tile % 2];
    if (threadIdx.x != 0) return its.arrive();
    cuda::device::memcpy_async_tx(kept[tile % 2], in + (blockIdx.x * tiles + tile) * 128, cuda::aligned_size_t<16>(512), its);
    return cuda::device::barrier_arrive_tx(its, 1, 512);
  };
  auto arrived = fetch(0);
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    auto next = tile + 1 < tiles ? fetch(tile + 1) : Barrier::arrival_token();
    full[tile % 2].wait(static_cast<Barrier::arrival_token&&>(arrived));
    sum = sum * 5 + kept[tile % 2][127 - threadIdx.x];
    arrived = static_cast<Barrier::arrival_token&&>(next);
    __syncthreads();
  }
  sums[threadIdx.x] = sum;
  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  __syncthreads();
  if (threadIdx.x != 0) return;
  cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, out + blockIdx.x * 128, sums, 512u);
  cuda::ptx::cp_async_bulk_commit_group();
  cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>());
}
