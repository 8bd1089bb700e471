// The vectorized kernel, with the tiles taken in another order. Down the columns of the input, blocks that
// run together write neighboring pieces of the same output rows.
#include "order.h"
#include "turn.h"

extern "C" __global__ void __launch_bounds__(THREADS) ordered(const float* in, float* out, int n) {
  __shared__ float4 kept[TILE * CHUNKS];
  const Tile tile = tile_of(blockIdx.x, n / TILE);
  const int x = tile.x * TILE, y = tile.y * TILE;
  const int fast = threadIdx.x % CHUNKS, slow = threadIdx.x / CHUNKS;

  float4 piece[4];
  const float* from = in + static_cast<size_t>(y + 4 * slow) * n + x + 4 * fast;
  for (int i = 0; i < 4; ++i)
    piece[i] = *reinterpret_cast<const float4*>(from + static_cast<size_t>(i) * n);  // @load
  turn(piece);
  for (int i = 0; i < 4; ++i) kept[kept_at(4 * fast + i, slow)] = piece[i];  // @keep
  __syncthreads();

  float* to = out + static_cast<size_t>(x + slow) * n + y + 4 * fast;
  for (int row = 0; row < TILE; row += CHUNKS) {
    const float4 chunk = kept[kept_at(row + slow, fast)];                   // @take
    *reinterpret_cast<float4*>(to + static_cast<size_t>(row) * n) = chunk;  // @store
  }
}
