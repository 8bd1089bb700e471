// Conway's game of life on a torus: a block loads its tile with a rim, then counts neighbors in shared memory.
extern "C" __global__ void game_of_life(const unsigned char* in, unsigned char* out, int width, int height) {
  __shared__ unsigned char kept[18][34];
  const int left = blockIdx.x * 32 - 1, top = blockIdx.y * 16 - 1;
  for (int y = threadIdx.y; y < 18; y += blockDim.y)
    for (int x = threadIdx.x; x < 34; x += blockDim.x)
      kept[y][x] = in[(top + y + height) % height * width + (left + x + width) % width] & 1;
  __syncthreads();
  for (int y = threadIdx.y + 1; y <= 16; y += blockDim.y) {
    const int x = threadIdx.x + 1;
    int neighbours = -kept[y][x];
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) neighbours += kept[y + dy][x + dx];
    out[(top + y) * width + left + x] = neighbours == 3 || (neighbours == 2 && kept[y][x]);
  }
}
