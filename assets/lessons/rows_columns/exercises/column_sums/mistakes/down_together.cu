// fails: coalesced: the load takes 32 sectors
// The threads of a block share one column after the other: the lanes of a warp are in 32 rows.
extern "C" __global__ void column_sums(const float* a, float* sums, int columns, int rows) {
  __shared__ float sum;
  const int first = blockIdx.x * blockDim.x;

  for (int column = first; column < first + blockDim.x && column < columns; ++column) {
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    for (int row = threadIdx.x; row < rows; row += blockDim.x)
      atomicAdd(&sum, a[row * columns + column]);  // here
    __syncthreads();
    if (threadIdx.x == 0) sums[column] = sum;
    __syncthreads();
  }
}
