// Numbers at even places are stirred in one way, those at odd places in another.
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
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= n) return;

  // TODO: both kinds are in every warp, which does one after the other.
  if (i % 2 == 0)
    out[i] = stir_even(in[i]);
  else
    out[i] = stir_odd(in[i]);
}
