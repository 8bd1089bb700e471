// fails: coalesced: the store takes 32 sectors
// Without shared memory there is no bank conflict, and the columns are back in global memory.
extern "C" __global__ void transpose(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];  // here
}
