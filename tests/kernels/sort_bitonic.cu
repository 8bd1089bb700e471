// Bitonic sort of 512 numbers in shared memory: every thread compares one pair in each step.
extern "C" __global__ void sort_bitonic(const int* in, int* out) {
  __shared__ int kept[512];
  const int base = blockIdx.x * 512;
  kept[threadIdx.x] = in[base + threadIdx.x];
  kept[threadIdx.x + 256] = in[base + threadIdx.x + 256];
  for (int size = 2; size <= 512; size *= 2)
    for (int distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const int low = 2 * threadIdx.x - (threadIdx.x & (distance - 1));
      const int high = low + distance;
      const bool rising = (low & size) == 0;
      const int a = kept[low], b = kept[high];
      if ((a > b) == rising) {
        kept[low] = b;
        kept[high] = a;
      }
    }
  __syncthreads();
  out[base + threadIdx.x] = kept[threadIdx.x];
  out[base + threadIdx.x + 256] = kept[threadIdx.x + 256];
}
