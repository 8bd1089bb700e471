// fails: memory: no barrier is between them
// The first warp reads sums that the others may not have stored yet.
constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;

// The sum over the warp, in lane 0. All lanes of the warp call it.
__device__ int warp_sum(int value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

extern "C" __global__ void reduce(const int* in, int* sums, int n) {
  __shared__ int of_warp[WARPS];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  const int lane = t % 32, warp = t / 32;

  const int sum = warp_sum(i < n ? in[i] : 0);
  if (lane == 0) of_warp[warp] = sum;

  if (warp == 0) {
    const int all = warp_sum(lane < WARPS ? of_warp[lane] : 0);  // here
    if (lane == 0) sums[blockIdx.x] = all;
  }
}
