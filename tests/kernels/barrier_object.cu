// cuda::barrier: arrive, do independent work, then wait. Neighbors exchange values over three phases.
#include <cuda/barrier>

extern "C" __global__ void barrier_object(const int* in, int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  __shared__ int kept[2][128];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int value = in[blockIdx.x * 128 + threadIdx.x];
  for (int phase = 0; phase < 3; ++phase) {
    kept[phase % 2][threadIdx.x] = value;
    Barrier::arrival_token token = barrier.arrive();
    const int own = value * 3 + phase;
    barrier.wait(static_cast<Barrier::arrival_token&&>(token));
    value = own + kept[phase % 2][(threadIdx.x + 1) % 128];
  }
  out[blockIdx.x * 128 + threadIdx.x] = value;
}
