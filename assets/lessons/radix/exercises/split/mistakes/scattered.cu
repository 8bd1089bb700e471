// fails: coalesced: the store takes 5.67 sectors
// The keys go straight to global memory, where a warp writes two runs that begin anywhere.
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
  const int thread = threadIdx.x, i = blockIdx.x * THREADS + thread;
  const unsigned key = i < n ? keys[i] : ~0u;  // after the last key: a one, which stays last

  const int is_zero = ~key >> bit & 1;
  const int zeros_before = sum_before(is_zero);
  const int zeros = __syncthreads_count(is_zero);
  const int position = is_zero ? zeros_before : zeros + thread - zeros_before;

  const int to = blockIdx.x * THREADS + position;
  if (to < n) out[to] = key;  // here
}
