// The diagonal transpose as some slides print it: blk_x and blk_y are computed, then forgotten.
// CORRECTED uses them. Both write the right output, so only the partitions show the difference.

#ifndef CORRECTED
#define CORRECTED 0
#endif

constexpr int TILE = 16;  // a block has TILE x TILE threads, one for each element

extern "C" __global__ void as_printed(const float* in, float* out, int width) {
  __shared__ float kept[TILE][TILE + 1];

  const int blk_y = blockIdx.x;
  const int blk_x = (blockIdx.x + blockIdx.y) % gridDim.x;

#if CORRECTED
  const int tile_x = blk_x, tile_y = blk_y;
#else
  const int tile_x = blockIdx.x, tile_y = blockIdx.y;
#endif

  int ix = TILE * tile_x + threadIdx.x;
  int iy = TILE * tile_y + threadIdx.y;
  if (ix < width && iy < width) {
    const float element = in[iy * width + ix];
    kept[threadIdx.y][threadIdx.x] = element;
  }

  __syncthreads();

  ix = TILE * tile_y + threadIdx.x;
  iy = TILE * tile_x + threadIdx.y;
  if (ix < width && iy < width) {
    const float element = kept[threadIdx.x][threadIdx.y];
    out[iy * width + ix] = element;
  }
}
