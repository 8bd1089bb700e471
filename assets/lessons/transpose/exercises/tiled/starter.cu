// Each warp reads a row of the input: one request, four sectors. It writes a column of the output: one
// request, 32 sectors.
extern "C" __global__ void transpose(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;

  // TODO: keep a tile of 32 x 32 elements in shared memory, so that the block writes rows as well.
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) out[x * height + y + j] = in[(y + j) * width + x];
}
