// In each turn the whole grid takes neighboring elements, and then moves on by its own number of threads.
extern "C" __global__ void double_plus_one(const int* in, int* out, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;

  for (int i = first; i < n; i += threads) out[i] = 2 * in[i] + 1;
}
