// fails: output: wrote it
// Down the columns of tiles instead of along diagonals: now all blocks in flight read from one column.
extern "C" __global__ void transpose(const float* in, float* out, int* block_of, int width, int height) {
  __shared__ float tile[32][33];

  const int number = blockIdx.x + gridDim.x * blockIdx.y;

  const int tile_y = number % gridDim.y;
  const int tile_x = number / gridDim.y;

  int x = tile_x * 32 + threadIdx.x;
  int y = tile_y * 32 + threadIdx.y;
  if (threadIdx.x == 0 && threadIdx.y == 0) block_of[y / 32 * gridDim.x + x / 32] = number;  // here

  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];

  __syncthreads();

  x = tile_y * 32 + threadIdx.x;
  y = tile_x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
