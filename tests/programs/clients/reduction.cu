// Sums by shared memory, by shuffles and by atomics; the size of the block is what the runtime suggests.
// nvcc: --compress-mode=none
#include "check.h"

__global__ void sum_by_shared(const float* in, float* out, int count) {
  extern __shared__ float partial[];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += in[i];
  partial[threadIdx.x] = sum;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(out, partial[0]);
}

__global__ void sum_by_shuffles(const float* in, float* out, int count) {
  __shared__ float of_warp[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += in[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

/// The last block to finish adds up what the others left.
__device__ unsigned finished = 0;
__global__ void sum_by_last_block(const float* in, float* partial, float* out, int count) {
  __shared__ bool is_last;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += in[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  sum = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += static_cast<volatile float*>(partial)[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0) *out = sum;
}

int main() {
  const int count = 10000;
  const std::vector<float> values = numbers(count);
  float expected = 0;
  for (const float value : values) expected += value;
  const float* in = on_device(values);
  float* partial = on_device(std::vector<float>(64));
  float* out = on_device(std::vector<float>(1));
  int grid = 0, block = 0;
  REQUIRE(cudaOccupancyMaxPotentialBlockSize(&grid, &block, sum_by_shuffles));
  size_t wrong = !(grid > 0 && block >= 32 && block % 32 == 0);
  for (int kind = 0; kind < 3; ++kind) {
    REQUIRE(cudaMemset(out, 0, sizeof(float)));
    if (kind == 0) sum_by_shared<<<8, 256, 256 * sizeof(float)>>>(in, out, count);
    if (kind == 1) sum_by_shuffles<<<4, block>>>(in, out, count);
    if (kind == 2) sum_by_last_block<<<40, 32>>>(in, partial, out, count);
    require_launch("sum");
    wrong += !(from_device(out, 1)[0] == expected);
  }
  return report("reduction", wrong);
}
