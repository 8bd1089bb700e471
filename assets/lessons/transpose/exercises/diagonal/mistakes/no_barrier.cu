// fails: memory: no barrier is between them
// A warp reads columns that other warps may not have written yet.
extern "C" __global__ void transpose(const float* in, float* out, int* block_of, int width, int height) {
  __shared__ float tile[32][33];

  const int number = blockIdx.x + gridDim.x * blockIdx.y;

  const int tile_y = number % gridDim.y;
  const int tile_x = (number / gridDim.y + tile_y) % gridDim.x;

  int x = tile_x * 32 + threadIdx.x;
  int y = tile_y * 32 + threadIdx.y;
  if (threadIdx.x == 0 && threadIdx.y == 0) block_of[y / 32 * gridDim.x + x / 32] = number;

  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];

  x = tile_y * 32 + threadIdx.x;
  y = tile_x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];  // here
}
