// Bulk copies: the copy engine brings each row of a tile with one instruction of one lane, two tiles ahead,
// to blocks that stay and take tile after tile. Every 4 rows are shifted by 16 bytes, so the 4 x 4 pieces are
// read without conflicts.
#include "order.h"
#include "turn.h"

constexpr int STAGES = 2;
constexpr int ROW_BYTES = 4 * TILE;

struct Stage {
  char bytes[TILE * ROW_BYTES + TILE / 4 * 16];
};
__device__ inline int row_at(int row) { return row * ROW_BYTES + row / 4 * 16; }

__device__ inline unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

extern "C" __global__ void __launch_bounds__(THREADS) bulk(const float* in, float* out, int n) {
  __shared__ __align__(128) Stage stages[STAGES];
  __shared__ unsigned long long arrived[STAGES];
  const unsigned side = n / TILE, tiles = side * side;
  const int fast = threadIdx.x % CHUNKS, slow = threadIdx.x / CHUNKS;

  if (threadIdx.x == 0) {
    for (int stage = 0; stage < STAGES; ++stage)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&arrived[stage]))
                   : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();

  const auto fetch = [&](unsigned number, int stage) {
    if (number >= tiles || threadIdx.x >= 32) return;
    const Tile tile = tile_of(number, side);
    const unsigned barrier = shared_address(&arrived[stage]);
    if (threadIdx.x == 0)
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
                   "r"(TILE * ROW_BYTES)
                   : "memory");
    __syncwarp();
    for (int row = threadIdx.x; row < TILE; row += 32)
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
              shared_address(stages[stage].bytes) + row_at(row)),
          "l"(in + static_cast<size_t>(tile.y * TILE + row) * n + tile.x * TILE), "r"(ROW_BYTES), "r"(barrier)
          : "memory");
  };

  for (int stage = 0; stage < STAGES; ++stage) fetch(blockIdx.x + stage * gridDim.x, stage);
  int stage = 0, phase = 0;
  for (unsigned number = blockIdx.x; number < tiles; number += gridDim.x) {
    const Tile tile = tile_of(number, side);
    asm volatile(
        "{.reg .pred done; again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @!done bra "
        "again;}" ::"r"(shared_address(&arrived[stage])),
        "r"(phase)
        : "memory");
    float4 piece[4];
    for (int i = 0; i < 4; ++i)
      piece[i] =
          *reinterpret_cast<const float4*>(stages[stage].bytes + row_at(4 * fast + i) + 16 * slow);  // @take
    __syncthreads();  // the stage has been read
    fetch(number + STAGES * gridDim.x, stage);
    turn(piece);
    float* to = out + static_cast<size_t>(tile.x * TILE + 4 * slow) * n + tile.y * TILE + 4 * fast;
    for (int i = 0; i < 4; ++i)
      *reinterpret_cast<float4*>(to + static_cast<size_t>(i) * n) = piece[i];  // @store
    stage = (stage + 1) % STAGES;
    if (stage == 0) phase ^= 1;
  }
}
