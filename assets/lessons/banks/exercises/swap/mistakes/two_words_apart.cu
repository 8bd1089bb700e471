// fails: conflict_free: the store takes 2 wavefronts
// Elements two words apart use only every second bank.

extern "C" __global__ void swap(const int* in, int* out, int n) {
  __shared__ int kept[2 * 256];

  const int first = blockIdx.x * 256;
  const int length = min(256, n - first);
  const int mine = threadIdx.x;

  if (mine < length) kept[2 * mine] = in[first + mine];  // here
  __syncthreads();
  if (mine < length) out[first + mine] = kept[2 * (length - 1 - mine)];
}
