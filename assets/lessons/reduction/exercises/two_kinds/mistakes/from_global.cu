// fails: coalesced: the load takes 8 sectors
// Whole warps, whose lanes read every second number from global memory.
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
  const int t = threadIdx.x;

  const int first = blockIdx.x * THREADS;
  const int place = first + (t < THREADS / 2 ? 2 * t : 2 * t - THREADS + 1);
  if (place >= n) return;
  const unsigned own = in[place];  // here
  if (t < THREADS / 2)
    out[place] = stir_even(own);
  else
    out[place] = stir_odd(own);
}
