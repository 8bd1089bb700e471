// Named barriers: the first warp fills, the other warps use, and each side waits only for what it needs.
extern "C" __global__ void named_barriers(const int* in, int* out, int rounds) {
  __shared__ int kept[96];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (warp == 0) {
      for (int i = lane; i < 96; i += 32) kept[i] = in[(blockIdx.x * rounds + round) * 96 + i];
      asm volatile("bar.sync 1, 128;" ::: "memory");
      asm volatile("bar.sync 2, 128;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      sum = sum * 3 + kept[95 - (threadIdx.x - 32)];
      asm volatile("bar.sync 2, 128;" ::: "memory");
    }
  }
  if (warp > 0) out[blockIdx.x * 96 + threadIdx.x - 32] = sum;
}
