// A warp adds its 32 numbers in registers, by shuffles: no shared memory, no barrier.
// Shared memory passes on one number of each warp, which the first warp adds in the same way.

constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;

__device__ int sum_of_warp(int value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(~0u, value, distance);
  return value;  // in lane 0
}

extern "C" __global__ void shuffles(const int* in, int* sums, int n) {
  __shared__ int partial[WARPS];
  const int thread = threadIdx.x, i = blockIdx.x * THREADS + thread;
  const int lane = thread % 32, warp = thread / 32;
  const int of_warp = sum_of_warp(i < n ? in[i] : 0);
  if (lane == 0) partial[warp] = of_warp;  // @pass
  __syncthreads();
  if (warp > 0) return;
  const int of_block = sum_of_warp(lane < WARPS ? partial[lane] : 0);  // @pass
  if (lane == 0) sums[blockIdx.x] = of_block;
}
