// Sum, minimum and maximum of everything by atomics, first within the block, then over the grid.
// Whole numbers, so that the order of the additions does not matter.
extern "C" __global__ void reduce_atomic(const unsigned* in, unsigned long long* sum, unsigned* least, unsigned* most) {
  __shared__ unsigned long long block_sum;
  __shared__ unsigned block_least, block_most;
  if (threadIdx.x == 0) {
    block_sum = 0;
    block_least = 0xffffffffu;
    block_most = 0;
  }
  __syncthreads();
  const unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&block_sum, static_cast<unsigned long long>(value));
  atomicMin(&block_least, value);
  atomicMax(&block_most, value);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(sum, block_sum);
    atomicMin(least, block_least);
    atomicMax(most, block_most);
  }
}
