// An array per thread, indexed at run time, so it cannot live in registers: local memory, interleaved by lane.
extern "C" __global__ void local_arrays(const unsigned* in, unsigned* out) {
  unsigned kept[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 32; ++k) kept[k] = in[(i * 7 + k * 13) % 1024];
  // Insertion sort: every lane moves its own words.
  for (int k = 1; k < 32; ++k) {
    const unsigned value = kept[k];
    int at = k;
    while (at > 0 && kept[at - 1] > value) {
      kept[at] = kept[at - 1];
      --at;
    }
    kept[at] = value;
  }
  out[i] = kept[in[i] % 32];
}
