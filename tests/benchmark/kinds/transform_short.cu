// A transform of tiles of 8 x 8 numbers of 16 bits: rows, then columns, by one thread each, in shared memory.
// Blocks of (8, 4, 2) threads transform 8 x 8 tiles of a strip: thread x has row or column x of its tile.
__device__ void transform(short* at, int stride) {
  int v[8];
  for (int n = 0; n < 8; ++n) v[n] = at[n * stride];
  for (int half = 4; half > 0; half /= 2)
    for (int n = 0; n < 8; ++n)
      if ((n & half) == 0) {
        const int sum = v[n] + v[n + half];
        const int difference = v[n] - v[n + half];
        v[n] = (short)((sum * 181) >> 8);
        v[n + half] = (short)((difference * 181) >> 8);
      }
  for (int n = 0; n < 8; ++n) at[n * stride] = (short)v[n];
}

extern "C" __global__ void transform_short(const short* in, short* out, int pitch) {
  __shared__ short kept[16][32 + 2];
  const int tile_x = threadIdx.y * 8, tile_y = threadIdx.z * 8;
  const int left = blockIdx.x * 32 + tile_x, top = blockIdx.y * 16 + tile_y;
  for (int y = 0; y < 8; ++y)
    kept[tile_y + y][tile_x + threadIdx.x] = in[(top + y) * pitch + left + threadIdx.x];
  __syncthreads();
  transform(&kept[tile_y + threadIdx.x][tile_x], 1);
  __syncthreads();
  transform(&kept[tile_y][tile_x + threadIdx.x], 32 + 2);
  __syncthreads();
  for (int y = 0; y < 8; ++y)
    out[(top + y) * pitch + left + threadIdx.x] = kept[tile_y + y][tile_x + threadIdx.x];
}
