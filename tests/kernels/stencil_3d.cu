// Seven-point stencil in three dimensions: a plane in shared memory, the neighbors above and below in registers.
extern "C" __global__ void stencil_3d(const float* in, float* out, int width, int height, int depth) {
  __shared__ float plane[10][34];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, area = width * height;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  float below = 0, here = in[y * width + x];
  for (int z = 0; z < depth; ++z) {
    const int at = z * area + y * width + x;
    const float above = z + 1 < depth ? in[at + area] : 0.0f;
    plane[ty][tx] = here;
    if (threadIdx.x == 0) plane[ty][0] = x > 0 ? in[at - 1] : 0.0f;
    if (threadIdx.x == 31) plane[ty][33] = x + 1 < width ? in[at + 1] : 0.0f;
    if (threadIdx.y == 0) plane[0][tx] = y > 0 ? in[at - width] : 0.0f;
    if (threadIdx.y == 7) plane[9][tx] = y + 1 < height ? in[at + width] : 0.0f;
    __syncthreads();
    const float around = plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx];
    out[at] = 0.5f * here + 0.08f * (around + above + below);
    below = here;
    here = above;
    __syncthreads();
  }
}
