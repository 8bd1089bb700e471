// fails: memory: which has 256 elements
// Shared memory belongs to a block, so it is indexed with the number in the block, not in the grid.

extern "C" __global__ void swap(const int* in, int* out, int n) {
  __shared__ int kept[256];

  const int number = blockIdx.x * 256 + threadIdx.x;
  const int first = blockIdx.x * 256;
  const int length = min(256, n - first);

  if (number < n) kept[number] = in[number];  // here
  __syncthreads();
  if (number < n) out[number] = kept[length - 1 - threadIdx.x];
}
