// Two buffers for each tile: while a block multiplies one, cp.async copies the next, past the registers.
// b goes 16 bytes at a time. a goes 4 bytes at a time, because a copy of 16 bytes could not turn it.

#ifndef PADDING
#define PADDING 4  // unused words after each column of a
#endif

constexpr int TILE = 128;
constexpr int DEPTH = 8;
constexpr int SIDE = 8;
constexpr int THREADS = (TILE / SIDE) * (TILE / SIDE);

struct Buffer {
  float left[DEPTH][TILE + PADDING];
  float right[DEPTH][TILE];
};

template <int BYTES>
__device__ inline void copy_async(float* to, const float* from) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (BYTES == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");  // @copy_b
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");  // @copy_a
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    double_buffered(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) Buffer buffers[2];

  const int x = threadIdx.x % (TILE / SIDE) * 4, y = threadIdx.x / (TILE / SIDE) * 4;
  const int a_row = threadIdx.x / DEPTH, a_column = threadIdx.x % DEPTH;
  const int b_row = threadIdx.x / 32, b_column = threadIdx.x % 32 * 4;
  a += (blockIdx.y * TILE + a_row) * n + a_column;
  b += b_row * n + blockIdx.x * TILE + b_column;
  c += blockIdx.y * TILE * n + blockIdx.x * TILE;

  const auto fetch = [&](Buffer& into, int first) {
    for (int i = 0; i < TILE; i += THREADS / DEPTH)
      copy_async<4>(&into.left[a_column][a_row + i], a + i * n + first);
    copy_async<16>(&into.right[b_row][b_column], b + first * n);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };

  float sum[SIDE][SIDE] = {};
  fetch(buffers[0], 0);
  for (int first = 0; first < n; first += DEPTH) {
    Buffer& now = buffers[first / DEPTH % 2];
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();  // this tile has arrived for all, and nobody reads the other buffer any more
    if (first + DEPTH < n) fetch(buffers[(first / DEPTH + 1) % 2], first + DEPTH);
#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      float from_a[SIDE], from_b[SIDE];
      for (int half = 0; half < 2; ++half) {
        *reinterpret_cast<float4*>(from_a + 4 * half) =
            *reinterpret_cast<float4*>(&now.left[k][y + half * TILE / 2]);  // @left
        *reinterpret_cast<float4*>(from_b + 4 * half) =
            *reinterpret_cast<float4*>(&now.right[k][x + half * TILE / 2]);  // @right
      }
      for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j) sum[i][j] += from_a[i] * from_b[j];
    }
  }
  for (int i = 0; i < SIDE; ++i)
    for (int j = 0; j < SIDE; j += 4)
      *reinterpret_cast<float4*>(c + (y + i / 4 * TILE / 2 + i % 4) * n + x + j / 4 * TILE / 2) =
          make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}
