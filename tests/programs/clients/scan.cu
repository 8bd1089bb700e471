// A running sum of more than one block: within the warps by shuffles, within the blocks, of the blocks' sums,
// and these added.
// nvcc: --compress-mode=size
#include "check.h"

constexpr int kBlock = 256;

__device__ int scan_warp(int value) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const int below = __shfl_up_sync(0xffffffff, value, offset);
    if (threadIdx.x % 32 >= offset) value += below;
  }
  return value;
}

__global__ void scan_blocks(const int* in, int* out, int* sums, int count) {
  __shared__ int of_warp[kBlock / 32];
  const int i = blockIdx.x * kBlock + threadIdx.x, warp = threadIdx.x / 32;
  int value = scan_warp(i < count ? in[i] : 0);
  if (threadIdx.x % 32 == 31) of_warp[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const int scanned = scan_warp(threadIdx.x < kBlock / 32 ? of_warp[threadIdx.x] : 0);
    if (threadIdx.x < kBlock / 32) of_warp[threadIdx.x] = scanned;
  }
  __syncthreads();
  if (warp > 0) value += of_warp[warp - 1];
  if (i < count) out[i] = value;
  if (sums != nullptr && threadIdx.x == kBlock - 1) sums[blockIdx.x] = value;
}

__global__ void add_sums(int* out, const int* sums, int count) {
  const int i = (blockIdx.x + 1) * kBlock + threadIdx.x;
  if (i < count) out[i] += sums[blockIdx.x];
}

int main() {
  const int count = 10 * kBlock + 17, blocks = (count + kBlock - 1) / kBlock;
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = i * 7 % 31 - 10;
  const int* in = on_device(values);
  int *out = on_device(std::vector<int>(count)), *sums = on_device(std::vector<int>(blocks));
  scan_blocks<<<blocks, kBlock>>>(in, out, sums, count);
  scan_blocks<<<1, kBlock>>>(sums, sums, nullptr, blocks);
  add_sums<<<blocks - 1, kBlock>>>(out, sums, count);
  require_launch("scan");
  const std::vector<int> found = from_device(out, count);
  size_t wrong = 0;
  int sum = 0;
  for (int i = 0; i < count; ++i) wrong += found[i] != (sum += values[i]);
  return report("scan", wrong);
}
