// A transpose. Each warp reads 32 words of a column, and the warps of a block read neighboring columns.
extern "C" __global__ void columns(const float* in, float* out, int width, int height) {
  const int row = blockIdx.y * 32 + threadIdx.x;
  const int column = blockIdx.x * blockDim.y + threadIdx.y;
  const float word = in[row * width + column];  // @read
  out[column * height + row] = word;            // @write
}
