// fails: memory: __threadfence() is missing
// The fence is in the block that reads, and none in those that write.
constexpr int THREADS = 128;

__device__ int warp_sum(int value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

extern "C" __global__ void sum(const int* in, int* partial, unsigned* finished, int* total, int n) {
  __shared__ int of_warp[THREADS / 32];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;

  const int own = warp_sum(i < n ? in[i] : 0);
  if (t % 32 == 0) of_warp[t / 32] = own;
  __syncthreads();
  if (t > 0) return;

  partial[blockIdx.x] = of_warp[0] + of_warp[1] + of_warp[2] + of_warp[3];
  const bool is_last = atomicAdd(finished, 1) == gridDim.x - 1;
  if (is_last) {
    __threadfence();
    int all = 0;
    for (int block = 0; block < gridDim.x; ++block) all += partial[block];  // here
    *total = all;
  }
}
