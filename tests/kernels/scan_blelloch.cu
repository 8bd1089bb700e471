// Exclusive scan after Blelloch: up the tree with sums, down the tree with the sums to the left.
// An index is shifted by one word in 32, which takes the bank conflicts out of the tree.
__device__ int place(int index) { return index + index / 32; }

extern "C" __global__ void scan_blelloch(const int* in, int* out) {
  __shared__ int kept[512 + 16];
  const int i = threadIdx.x;
  const int* from = in + blockIdx.x * 512;
  kept[place(i)] = from[i];
  kept[place(i + 256)] = from[i + 256];
  int offset = 1;
  for (int pairs = 256; pairs > 0; pairs /= 2) {
    __syncthreads();
    if (i < pairs) kept[place(offset * (2 * i + 2) - 1)] += kept[place(offset * (2 * i + 1) - 1)];
    offset *= 2;
  }
  if (i == 0) kept[place(511)] = 0;
  for (int pairs = 1; pairs <= 256; pairs *= 2) {
    offset /= 2;
    __syncthreads();
    if (i < pairs) {
      const int left = place(offset * (2 * i + 1) - 1), right = place(offset * (2 * i + 2) - 1);
      const int sum = kept[left];
      kept[left] = kept[right];
      kept[right] += sum;
    }
  }
  __syncthreads();
  out[blockIdx.x * 512 + i] = kept[place(i)];
  out[blockIdx.x * 512 + i + 256] = kept[place(i + 256)];
}
