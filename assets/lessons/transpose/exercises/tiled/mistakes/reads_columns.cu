// fails: coalesced: the load takes 32 sectors
// The rows of the output are written as they should be, but now the input is read by columns.
extern "C" __global__ void transpose(const float* in, float* out, int width, int height) {
  const int x = blockIdx.y * 32 + threadIdx.x;
  const int y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = in[x * width + y + j];  // here
}
