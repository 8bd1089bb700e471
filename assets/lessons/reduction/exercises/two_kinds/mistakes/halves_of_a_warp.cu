// fails: active_share: most lanes are idle at line
// The first half of each warp takes the even places: every warp still has both kinds.
constexpr int THREADS = 256;

__device__ unsigned stir_even(unsigned x) {
#pragma unroll 1
  for (int round = 0; round < 16; ++round) x = x * 1664525 + 1013904223;
  return x;
}
__device__ unsigned stir_odd(unsigned x) {
#pragma unroll 1
  for (int round = 0; round < 16; ++round) x = (x ^ x >> 5) + (x << 7);  // here
  return x;
}

extern "C" __global__ void stir(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned kept[THREADS];
  const int t = threadIdx.x, i = blockIdx.x * THREADS + t;

  kept[t] = i < n ? in[i] : 0;
  __syncthreads();

  const int place = t / 32 * 32 + t % 16 * 2;
  if (t % 32 < 16)
    kept[place] = stir_even(kept[place]);
  else
    kept[place + 1] = stir_odd(kept[place + 1]);
  __syncthreads();

  if (i < n) out[i] = kept[t];
}
