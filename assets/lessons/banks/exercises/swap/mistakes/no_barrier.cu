// fails: memory: no barrier is between them
// Without a barrier a thread reads what another one may not have written yet.

extern "C" __global__ void swap(const int* in, int* out, int n) {
  __shared__ int kept[256];

  const int first = blockIdx.x * 256;
  const int length = min(256, n - first);
  const int mine = threadIdx.x;

  if (mine < length) kept[mine] = in[first + mine];
  if (mine < length) out[first + mine] = kept[length - 1 - mine];  // here
}
