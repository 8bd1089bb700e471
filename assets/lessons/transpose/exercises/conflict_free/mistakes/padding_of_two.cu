// fails: conflict_free: the load takes 2 wavefronts
// Two words of padding: the rows begin in every second bank only.
extern "C" __global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][34];

  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];

  __syncthreads();

  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];  // here
}
