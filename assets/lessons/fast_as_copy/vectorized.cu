// 16 bytes in every access: a thread reads a 4 x 4 piece, turns it in its registers and puts it into shared
// memory as four rows of the turned tile. A quarter of the instructions, and 64 bytes of a thread under way.
#include "turn.h"

extern "C" __global__ void __launch_bounds__(THREADS) vectorized(const float* in, float* out, int n) {
  __shared__ float4 kept[TILE * CHUNKS];
  const int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
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
