// Inclusive scan after Hillis and Steele: each step adds the element 1, 2, 4, ... places to the left.
// Two halves of shared memory take turns, so that no thread overwrites what a neighbor has yet to read.
extern "C" __global__ void scan_hillis_steele(const int* in, int* out) {
  __shared__ int kept[2][256];
  int from = 0;
  const int i = threadIdx.x;
  kept[from][i] = in[blockIdx.x * 256 + i];
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    kept[1 - from][i] = i >= distance ? kept[from][i] + kept[from][i - distance] : kept[from][i];
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * 256 + i] = kept[from][i];
}
