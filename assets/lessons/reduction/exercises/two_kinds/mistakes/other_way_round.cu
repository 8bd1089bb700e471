// fails: output: wrote it
// Even places get the work of the odd ones.
constexpr int THREADS = 256;

__device__ unsigned stir_even(unsigned x) {
#pragma unroll 1
  for (int round = 0; round < 16; ++round) x = x * 1664525 + 1013904223;
  return x;
}
__device__ unsigned stir_odd(unsigned x) {
#pragma unroll 1
  for (int round = 0; round < 16; ++round) x = (x ^ x >> 5) + (x << 7);
  return x;
}

extern "C" __global__ void stir(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned kept[THREADS];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;

  kept[t] = i < n ? in[i] : 0;
  __syncthreads();

  if (t < THREADS / 2)
    kept[2 * t] = stir_odd(kept[2 * t]);
  else
    kept[2 * t - THREADS + 1] = stir_even(kept[2 * t - THREADS + 1]);
  __syncthreads();

  if (i < n) out[i] = kept[t];  // here
}
