// A pipeline of four stages in shared memory: asynchronous copies that an mbarrier ends fill one stage while
// others are read. The wait for the mbarrier is a loop that tests it.
#include <cuda/barrier>

extern "C" __global__ void barrier_stages(const unsigned* in, unsigned* out, int rounds) {
  constexpr int kStages = 4;
  __shared__ unsigned kept[kStages][256];
  __shared__ cuda::barrier<cuda::thread_scope_block> full[kStages];
  if (threadIdx.x < kStages) init(&full[threadIdx.x], blockDim.x);
  __syncthreads();
  const unsigned base = blockIdx.x * rounds * 256;
  const auto fill = [&](int round) {
    cuda::memcpy_async(&kept[round % kStages][threadIdx.x], &in[base + round * 256 + threadIdx.x],
                       cuda::aligned_size_t<4>(4), full[round % kStages]);
  };
  for (int round = 0; round < kStages - 1; ++round) fill(round);
  unsigned sum = 0;
  for (int round = 0; round < rounds; ++round) {
    full[round % kStages].arrive_and_wait();
    sum += kept[round % kStages][threadIdx.x] * 3 + kept[round % kStages][threadIdx.x ^ 1];
    __syncthreads();
    if (round + kStages - 1 < rounds) fill(round + kStages - 1);
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
