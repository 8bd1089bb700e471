// fails: conflict_free: the store takes 2 wavefronts
// Rows of 17 words: two lanes of a write meet, and two of a read.
constexpr int SIDE = 16;

// The word of tile[] in which an element is kept.
__device__ int word_of(int row, int column) { return (SIDE + 1) * row + column; }

extern "C" __global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[(SIDE + 1) * SIDE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;

  if (left + x < width && top + y < height) tile[word_of(y, x)] = in[(top + y) * width + left + x];  // here
  __syncthreads();
  if (left + y < width && top + x < height) out[(left + y) * height + top + x] = tile[word_of(x, y)];
}
