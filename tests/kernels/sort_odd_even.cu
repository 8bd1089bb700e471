// Odd-even transposition sort: neighbors are compared, even pairs and odd pairs in turn.
extern "C" __global__ void sort_odd_even(const float* in, float* out) {
  __shared__ float kept[128];
  const int i = threadIdx.x;
  kept[i] = in[blockIdx.x * 128 + i];
  kept[i + 64] = in[blockIdx.x * 128 + i + 64];
  for (int step = 0; step < 128; ++step) {
    __syncthreads();
    const int left = 2 * i + step % 2;
    if (left + 1 < 128) {
      const float a = kept[left], b = kept[left + 1];
      kept[left] = fminf(a, b);
      kept[left + 1] = fmaxf(a, b);
    }
  }
  __syncthreads();
  out[blockIdx.x * 128 + i] = kept[i];
  out[blockIdx.x * 128 + i + 64] = kept[i + 64];
}
