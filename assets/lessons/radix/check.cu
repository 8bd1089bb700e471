// Is `sorted` a sorted order of `keys`? report[0]: neighbors in the wrong order.
// report[1]: the difference of two sums over mixed keys, which is 0 where both hold the same keys.

__device__ unsigned mixed(unsigned key) {
  key = (key ^ key >> 16) * 0x7feb352du;
  key = (key ^ key >> 15) * 0x846ca68bu;
  return key ^ key >> 16;
}

extern "C" __global__ void check(const unsigned* keys, const unsigned* sorted, unsigned* report, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i + 1 < n && sorted[i] > sorted[i + 1]) atomicAdd(&report[0], 1);
  atomicAdd(&report[1], mixed(sorted[i]) - mixed(keys[i]));
}
