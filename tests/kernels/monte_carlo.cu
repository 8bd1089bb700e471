// Pi by throwing darts: a linear congruential generator per thread, hits counted by ballots.
extern "C" __global__ void monte_carlo(unsigned* hits, unsigned seed, int throws) {
  unsigned state = seed + (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u;
  unsigned inside = 0;
  for (int n = 0; n < throws; ++n) {
    state = state * 1664525u + 1013904223u;
    const float x = (state >> 8) * (1.0f / 16777216.0f);
    state = state * 1664525u + 1013904223u;
    const float y = (state >> 8) * (1.0f / 16777216.0f);
    inside += __popc(__ballot_sync(0xffffffffu, x * x + y * y < 1.0f));
  }
  if (threadIdx.x % 32 == 0) atomicAdd(hits, inside);
}
