// Sum of doubles with Kahan's compensation in each thread, then a tree over the block.
// A double takes two banks: 32 lanes need two wavefronts.
extern "C" __global__ void reduce_double(const double* in, double* sums, int per_thread) {
  __shared__ double kept[128];
  double sum = 0, carry = 0;
  for (int i = 0; i < per_thread; ++i) {
    const double y = in[(blockIdx.x * per_thread + i) * blockDim.x + threadIdx.x] - carry;
    const double next = sum + y;
    carry = (next - sum) - y;
    sum = next;
  }
  kept[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) kept[threadIdx.x] += kept[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = kept[0];
}
