// fails: output: wrote it
// The last piece is shorter: its elements are not 255 - i but length - 1 - i.

extern "C" __global__ void swap(const int* in, int* out, int n) {
  __shared__ int kept[256];

  const int first = blockIdx.x * 256;
  const int mine = threadIdx.x;

  kept[mine] = first + mine < n ? in[first + mine] : 0;
  __syncthreads();
  if (first + mine < n) out[first + mine] = kept[255 - mine];  // here
}
