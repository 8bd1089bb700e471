// The small Mersenne twister (TinyMT's size of state, MT's recurrence with 32 words) in local memory, one per thread.
extern "C" __global__ void mersenne_twister(unsigned seed, unsigned* out) {
  constexpr int kWords = 32, kMiddle = 17;
  unsigned state[kWords];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  state[0] = seed + i;
  for (int n = 1; n < kWords; ++n) state[n] = 1812433253u * (state[n - 1] ^ state[n - 1] >> 30) + n;
  unsigned result = 0;
#pragma unroll 1
  for (int n = 0; n < 64; ++n) {
    const unsigned y = (state[n % kWords] & 0x80000000u) | (state[(n + 1) % kWords] & 0x7fffffffu);
    state[n % kWords] = state[(n + kMiddle) % kWords] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0u);
    result = state[n % kWords];
    result ^= result >> 11;
    result ^= result << 7 & 0x9d2c5680u;
    result ^= result << 15 & 0xefc60000u;
    result ^= result >> 18;
  }
  out[i] = result;
}
