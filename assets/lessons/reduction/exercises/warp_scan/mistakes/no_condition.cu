// fails: output: out[1] is 16
// Lanes without a lane before them add their own value.
constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;

// The sum over the lanes up to this one. All lanes of the warp call it.
__device__ int sum_up_to(int value) {
  const int lane = threadIdx.x % 32;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(0xffffffff, value, distance);
    value += before;
  }
  return value;
}

extern "C" __global__ void scan(const int* in, int* out, int n) {
  __shared__ int of_warp[WARPS];
  const int i = blockIdx.x * THREADS + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  int sum = sum_up_to(i < n ? in[i] : 0);
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();

  for (int w = 0; w < warp; ++w) sum += of_warp[w];
  if (i < n) out[i] = sum;  // here
}
