// Scan of the whole array in one pass, with decoupled look-back: a block publishes its own sum, then walks back over its
// predecessors until it finds one whose prefix is known. Blocks number themselves, so that predecessors have started.
enum : unsigned { kNothing = 0, kSum = 1, kPrefix = 2 };

extern "C" __global__ void scan_lookback(const unsigned* in, unsigned* out, unsigned* tickets,
                                         unsigned long long* states) {
  __shared__ unsigned kept[2][128];
  __shared__ unsigned ticket, before;
  if (threadIdx.x == 0) ticket = atomicAdd(tickets, 1u);
  __syncthreads();
  const unsigned block = ticket, i = threadIdx.x;
  unsigned from = 0;
  kept[0][i] = in[block * 128 + i] & 0xffffu;
  __syncthreads();
  for (unsigned distance = 1; distance < 128; distance *= 2) {
    kept[1 - from][i] = kept[from][i] + (i >= distance ? kept[from][i - distance] : 0);
    from = 1 - from;
    __syncthreads();
  }
  if (i == 0) {
    const unsigned sum = kept[from][127];
    const auto publish = [&](unsigned what, unsigned value) {
      __threadfence();
      atomicExch(&states[block], static_cast<unsigned long long>(what) << 32 | value);
    };
    publish(block == 0 ? kPrefix : kSum, sum);
    unsigned prefix = 0;
    for (int other = static_cast<int>(block) - 1; other >= 0;) {
      const unsigned long long state = atomicAdd(&states[other], 0ull);
      const unsigned what = static_cast<unsigned>(state >> 32);
      if (what == kNothing) continue;
      prefix += static_cast<unsigned>(state);
      if (what == kPrefix) break;
      --other;
    }
    if (block != 0) publish(kPrefix, prefix + sum);
    before = prefix;
  }
  __syncthreads();
  out[block * 128 + i] = before + kept[from][i];
}
