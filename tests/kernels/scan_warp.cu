// Inclusive scan by shuffles: within the warp in registers, then the warps' sums by the first warp.
__device__ int scan_of_warp(int value) {
  for (int distance = 1; distance < 32; distance *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, value, distance);
    if (threadIdx.x % 32 >= distance) value += left;
  }
  return value;
}

extern "C" __global__ void scan_warp(const int* in, int* out) {
  __shared__ int of_warp[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int value = scan_of_warp(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (lane == 31) of_warp[warp] = value;
  __syncthreads();
  if (warp == 0) of_warp[lane] = scan_of_warp(lane < blockDim.x / 32 ? of_warp[lane] : 0);
  __syncthreads();
  if (warp > 0) value += of_warp[warp - 1];
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
