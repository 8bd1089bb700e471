// A generator of random numbers skips ahead: its state of 160 bits times a matrix of bits, one row for each
// bit that is set. Integer work, loads that depend on data, divergence.
extern "C" __global__ void skip_ahead(const unsigned* matrix, unsigned* states, int rounds) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned state[5] = {123456789u ^ thread, 362436069u + thread, 521288629u, 88675123u * thread, 5783321u};
  for (int round = 0; round < rounds; ++round) {
    unsigned next[5] = {};
#pragma unroll
    for (int word = 0; word < 5; ++word)
      for (int bit = 0; bit < 32; ++bit)
        if (state[word] & (1u << bit))
#pragma unroll
          for (int n = 0; n < 5; ++n) next[n] ^= matrix[(word * 32 + bit) * 5 + n];
#pragma unroll
    for (int n = 0; n < 5; ++n) state[n] = next[n];
  }
#pragma unroll
  for (int n = 0; n < 5; ++n) states[thread * 5 + n] = state[n];
}
