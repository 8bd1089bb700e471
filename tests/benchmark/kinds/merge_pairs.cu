// Bitonic sort of 512 pairs of key and value in shared memory by 256 threads.
extern "C" __global__ void merge_pairs(const unsigned* in, unsigned* keys, unsigned* values) {
  __shared__ unsigned key[512];
  __shared__ unsigned value[512];
  const unsigned base = blockIdx.x * 512, x = threadIdx.x;
  key[x] = in[base + x];
  value[x] = x;
  key[x + 256] = in[base + x + 256];
  value[x + 256] = x + 256;
  for (unsigned size = 2; size <= 512; size *= 2)
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const unsigned low = 2 * x - (x & (distance - 1)), high = low + distance;
      const bool rising = (low & size) == 0;
      const unsigned a = key[low], b = key[high];
      if ((a > b) == rising) {
        key[low] = b;
        key[high] = a;
        const unsigned kept = value[low];
        value[low] = value[high];
        value[high] = kept;
      }
    }
  __syncthreads();
  keys[base + x] = key[x];
  values[base + x] = value[x];
  keys[base + x + 256] = key[x + 256];
  values[base + x + 256] = value[x + 256];
}
