// fails: wavefronts: wavefronts of shared memory
// All numbers go through shared memory before they are shuffled.
constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;

// The sum over the warp, in lane 0. All lanes of the warp call it.
__device__ int warp_sum(int value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance);
  return value;
}

extern "C" __global__ void reduce(const int* in, int* sums, int n) {
  __shared__ int of_warp[WARPS], numbers[THREADS];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  const int lane = t % 32, warp = t / 32;

  numbers[t] = i < n ? in[i] : 0;  // here
  const int sum = warp_sum(numbers[t]);
  if (lane == 0) of_warp[warp] = sum;
  __syncthreads();

  if (warp == 0) {
    const int all = warp_sum(lane < WARPS ? of_warp[lane] : 0);
    if (lane == 0) sums[blockIdx.x] = all;
  }
}
