// fails: output: wrote it
// The elements are exchanged when they are written, and read as if they were not.
constexpr int SIDE = 16;

// The word of tile[] in which an element is kept.
__device__ int word_of(int row, int column) { return SIDE * row + (column ^ row); }

extern "C" __global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[SIDE * SIDE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;

  if (left + x < width && top + y < height) tile[word_of(y, x)] = in[(top + y) * width + left + x];
  __syncthreads();
  if (left + y < width && top + x < height) out[(left + y) * height + top + x] = tile[SIDE * x + y];  // here
}
