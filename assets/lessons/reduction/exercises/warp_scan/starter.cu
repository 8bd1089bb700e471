// out[i] is the sum of the elements of the block up to the i-th, its own included.
constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;

// The sum over the lanes up to this one. All lanes of the warp call it.
__device__ int sum_up_to(int value) {
  // TODO: add what lanes before this one have; __shfl_up_sync() gives it.
  return value;
}

extern "C" __global__ void scan(const int* in, int* out, int n) {
  const int i = blockIdx.x * THREADS + threadIdx.x;
  const int sum = sum_up_to(i < n ? in[i] : 0);

  // TODO: add the sums of the warps before this one.
  if (i < n) out[i] = sum;
}
