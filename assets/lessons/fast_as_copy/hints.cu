// The vectorized kernel with hints for the caches: every byte is used once, so keeping it is of no use.
// READ and WRITE choose what the loads and stores say.
#include "turn.h"

#ifndef READ
#define READ 1
#endif
#ifndef WRITE
#define WRITE 1
#endif

// clang-format off: one case a line
__device__ inline float4 read(const float* from) {
  float4 v;
  if (READ == 0) asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from));
  if (READ == 1) asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from));
  if (READ == 2) asm volatile("ld.global.cs.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from));
  if (READ == 3) asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from));
  if (READ == 4) asm volatile("{.reg .b64 policy; createpolicy.fractional.L2::evict_first.b64 policy, 1.0; ld.global.nc.L1::no_allocate.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], policy;}" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from));
  return v;
}
__device__ inline void write(float* to, float4 v) {
  if (WRITE == 0) asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" :: "l"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
  if (WRITE == 1) asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" :: "l"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
  if (WRITE == 2) asm volatile("st.global.wt.v4.f32 [%0], {%1, %2, %3, %4};" :: "l"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
  if (WRITE == 3) asm volatile("{.reg .b64 policy; createpolicy.fractional.L2::evict_first.b64 policy, 1.0; st.global.L2::cache_hint.v4.f32 [%0], {%1, %2, %3, %4}, policy;}" :: "l"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
}
// clang-format on

extern "C" __global__ void __launch_bounds__(THREADS) hints(const float* in, float* out, int n) {
  __shared__ float4 kept[TILE * CHUNKS];
  const int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
  const int fast = threadIdx.x % CHUNKS, slow = threadIdx.x / CHUNKS;

  float4 piece[4];
  const float* from = in + static_cast<size_t>(y + 4 * slow) * n + x + 4 * fast;
  for (int i = 0; i < 4; ++i) piece[i] = read(from + static_cast<size_t>(i) * n);
  turn(piece);
  for (int i = 0; i < 4; ++i) kept[kept_at(4 * fast + i, slow)] = piece[i];
  __syncthreads();

  float* to = out + static_cast<size_t>(x + slow) * n + y + 4 * fast;
  for (int row = 0; row < TILE; row += CHUNKS)
    write(to + static_cast<size_t>(row) * n, kept[kept_at(row + slow, fast)]);
}
