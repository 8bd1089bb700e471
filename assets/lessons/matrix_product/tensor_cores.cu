// Tensor cores: a warp multiplies 16 x 16 by 16 x 8 halves with one mma and adds to sums in single precision.
// ldmatrix reads its operands as rows of 16 bytes, 8 rows at a time. In a plain tile these rows share banks;
// SWIZZLE keeps 16-byte chunk c of a row at chunk c xor (a few bits of the row).
#include <cuda_fp16.h>

#ifndef SWIZZLE
#define SWIZZLE 1
#endif

constexpr int TILE = 128, DEPTH = 32;  // a block computes TILE x TILE elements
constexpr int M = 64, N = 32;          // a warp computes M x N
constexpr int THREADS = 32 * (TILE / M) * (TILE / N);
constexpr int CHUNK = 8;  // halves in 16 bytes

__device__ inline int left_chunk(int row, int chunk) { return SWIZZLE ? chunk ^ (row / 2 % 4) : chunk; }
__device__ inline int right_chunk(int row, int chunk) { return SWIZZLE ? chunk ^ (row % 8) : chunk; }

struct Fragment {
  unsigned word[4];
};

// Four 8 x 8 matrices; lane l names row l % 8 of matrix l / 8.
__device__ inline Fragment load_matrices(const half* row) {
  Fragment f;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(f.word[0]), "=r"(f.word[1]), "=r"(f.word[2]), "=r"(f.word[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))  // @left
               : "memory");
  return f;
}
__device__ inline Fragment load_transposed(const half* row) {
  Fragment f;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(f.word[0]), "=r"(f.word[1]), "=r"(f.word[2]), "=r"(f.word[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))  // @right
               : "memory");
  return f;
}
__device__ inline void multiply(float (&sum)[4], const Fragment& a, unsigned b0, unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, "
      "%1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "r"(b0), "r"(b1));
}

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    tensor_cores(const half* a, const half* b, half* c, int n) {
  __shared__ __align__(128) half left[TILE][DEPTH];
  __shared__ __align__(128) half right[DEPTH][TILE];

  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int y = warp / (TILE / N) * M, x = warp % (TILE / N) * N;
  a += static_cast<size_t>(blockIdx.y * TILE) * n;
  b += blockIdx.x * TILE;
  c += static_cast<size_t>(blockIdx.y * TILE) * n + blockIdx.x * TILE;

  float sum[M / 16][N / 8][4] = {};
  for (int first = 0; first < n; first += DEPTH) {
    for (int i = 0; i < TILE * DEPTH / CHUNK; i += THREADS) {
      const int at = i + threadIdx.x;
      const int row = at / (DEPTH / CHUNK), chunk = at % (DEPTH / CHUNK);
      *reinterpret_cast<uint4*>(&left[row][left_chunk(row, chunk) * CHUNK]) =
          *reinterpret_cast<const uint4*>(a + static_cast<size_t>(row) * n + first + chunk * CHUNK);
      const int k = at / (TILE / CHUNK), column = at % (TILE / CHUNK);
      *reinterpret_cast<uint4*>(&right[k][right_chunk(k, column) * CHUNK]) =
          *reinterpret_cast<const uint4*>(b + static_cast<size_t>(first + k) * n + column * CHUNK);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < DEPTH; k += 16) {
      Fragment of_a[M / 16], of_b[N / 16];
      for (int i = 0; i < M / 16; ++i) {
        const int row = y + 16 * i + lane % 16;
        of_a[i] = load_matrices(&left[row][left_chunk(row, k / CHUNK + lane / 16) * CHUNK]);
      }
      for (int j = 0; j < N / 16; ++j) {
        const int row = k + lane % 16;
        of_b[j] = load_transposed(&right[row][right_chunk(row, x / CHUNK + 2 * j + lane / 16) * CHUNK]);
      }
      for (int i = 0; i < M / 16; ++i)
        for (int j = 0; j < N / 8; ++j)
          multiply(sum[i][j], of_a[i], of_b[j / 2].word[j % 2 * 2], of_b[j / 2].word[j % 2 * 2 + 1]);
    }
    __syncthreads();
  }

  // A lane has two neighbors of row lane / 4 of each 16 x 8 result, and two of the row 8 below.
  for (int i = 0; i < M / 16; ++i)
    for (int j = 0; j < N / 8; ++j) {
      half* to = c + static_cast<size_t>(y + 16 * i + lane / 4) * n + x + 8 * j + lane % 4 * 2;
      *reinterpret_cast<half2*>(to) = __floats2half2_rn(sum[i][j][0], sum[i][j][1]);
      *reinterpret_cast<half2*>(to + 8 * n) = __floats2half2_rn(sum[i][j][2], sum[i][j][3]);
    }
}
