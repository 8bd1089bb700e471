// fails: conflict_free: the load takes 32 wavefronts
// A row more, where the rows had to be longer.
extern "C" __global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[33][32];

  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];

  __syncthreads();

  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];  // here
}
