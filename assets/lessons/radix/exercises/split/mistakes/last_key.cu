// fails: memory: which has 256 elements
// The zeros are counted without looking at the last key: one too many where it has a one.
constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;

// The sum of `value` over the threads before this one. All threads of the block call it.
__device__ int sum_before(int value) {
  __shared__ int of_warp[WARPS];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int left = __shfl_up_sync(~0u, sum, distance);
    if (lane >= distance) sum += left;
  }
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp; ++w) sum += of_warp[w];
  return sum - value;
}

extern "C" __global__ void split(const unsigned* keys, unsigned* out, int n, int bit) {
  __shared__ unsigned sorted[THREADS];
  const int thread = threadIdx.x, i = blockIdx.x * THREADS + thread;
  const unsigned key = i < n ? keys[i] : ~0u;  // after the last key: a one, which stays last

  __shared__ int ones_before_last;
  const int is_one = key >> bit & 1;
  const int ones_before = sum_before(is_one);
  if (thread == THREADS - 1) ones_before_last = ones_before;
  __syncthreads();
  const int zeros = THREADS - ones_before_last;
  const int position = is_one ? zeros + ones_before : thread - ones_before;

  sorted[position] = key;  // here
  __syncthreads();
  if (i < n) out[i] = sorted[thread];
}
