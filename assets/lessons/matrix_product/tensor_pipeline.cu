// Tensor cores at speed: warps own 64 x 64 elements, cp.async fills three stages ahead of the one that is
// multiplied, every tile is swizzled, and ldmatrix reads the operands of the next mma while this one runs.
#include <cuda_fp16.h>

constexpr int ROWS = 128, COLUMNS = 256, DEPTH = 64;  // the tile of a block
constexpr int SIDE = 64;                              // a warp computes SIDE x SIDE
constexpr int WARPS = (ROWS / SIDE) * (COLUMNS / SIDE);
constexpr int THREADS = 32 * WARPS;
constexpr int STAGES = 4;
constexpr int CHUNK = 16;  // bytes of a copy, and of a row of ldmatrix
constexpr int STEPS = DEPTH / 16;

// Bytes. Both kinds of rows are multiples of 128 bytes; chunk c of row r is kept at chunk c xor r % 8.
constexpr int A_ROW = 2 * DEPTH, B_ROW = 2 * COLUMNS;
constexpr int A_BYTES = ROWS * A_ROW;
constexpr int STAGE_BYTES = A_BYTES + DEPTH * B_ROW;

// A pass of the block copies so many rows of a tile.
constexpr int A_PASS = THREADS / (A_ROW / CHUNK), B_PASS = THREADS / (B_ROW / CHUNK);
constexpr int A_PASSES = ROWS / A_PASS, B_PASSES = DEPTH / B_PASS;
static_assert(A_PASS % 8 == 0 && B_PASS % 8 == 0, "row % 8 must be the same in each pass");

struct Fragment {
  unsigned word[4];
};

__device__ inline void load_matrices(Fragment& f, unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(f.word[0]), "=r"(f.word[1]), "=r"(f.word[2]), "=r"(f.word[3])
               : "r"(address)  // @left
               : "memory");
}
__device__ inline void load_transposed(Fragment& f, unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(f.word[0]), "=r"(f.word[1]), "=r"(f.word[2]), "=r"(f.word[3])
               : "r"(address)  // @right
               : "memory");
}
__device__ inline void multiply(float (&sum)[4], const Fragment& a, unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, "
      "%1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "r"(b0), "r"(b1));
}
__device__ inline void copy_async(unsigned to, const half* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");  // @copy
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    tensor_pipeline(const half* a, const half* b, half* c, int n) {
  extern __shared__ __align__(1024) char stages[];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(stages));

  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int y = warp / (COLUMNS / SIDE) * SIDE, x = warp % (COLUMNS / SIDE) * SIDE;

  // Where this lane reads in a stage: row lane % 16 of a fragment, its first or second chunk. The chunks of
  // other fragments follow by xor, since the swizzle is one: few registers hold all addresses.
  const unsigned swizzled = ((lane / 16) ^ (lane % 8)) * CHUNK;
  const unsigned read_a = base + (y + lane % 16) * A_ROW + swizzled;
  const unsigned read_b = base + A_BYTES + (lane % 16) * B_ROW + x * 2 + swizzled;

  // What this thread copies: one chunk of a row in each pass.
  const int a_row = threadIdx.x / (A_ROW / CHUNK), a_chunk = threadIdx.x % (A_ROW / CHUNK);
  const int b_row = threadIdx.x / (B_ROW / CHUNK), b_chunk = threadIdx.x % (B_ROW / CHUNK);
  const unsigned write_a = base + a_row * A_ROW + (a_chunk ^ (a_row % 8)) * CHUNK;
  const unsigned write_b = base + A_BYTES + b_row * B_ROW + (b_chunk ^ (b_row % 8)) * CHUNK;
  const half* from_a = a + static_cast<size_t>(blockIdx.y * ROWS + a_row) * n + a_chunk * 8;
  const half* from_b = b + static_cast<size_t>(b_row) * n + blockIdx.x * COLUMNS + b_chunk * 8;

  // One of `parts` parts of the next tile: spread over the steps, the copies do not queue before the loads.
  const auto fetch = [&](unsigned stage, int part, int parts) {
#pragma unroll
    for (int i = A_PASSES * part / parts; i < A_PASSES * (part + 1) / parts; ++i)
      copy_async(write_a + stage + i * A_PASS * A_ROW, from_a + static_cast<size_t>(i * A_PASS) * n);
#pragma unroll
    for (int i = B_PASSES * part / parts; i < B_PASSES * (part + 1) / parts; ++i)
      copy_async(write_b + stage + i * B_PASS * B_ROW, from_b + static_cast<size_t>(i * B_PASS) * n);
    if (part == parts - 1) {
      from_a += DEPTH;
      from_b += static_cast<size_t>(DEPTH) * n;
    }
  };
  const auto commit = [] { asm volatile("cp.async.commit_group;" ::: "memory"); };
  const auto wait_for_next = [] {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
  };
  const auto after = [](unsigned stage) {
    return stage == (STAGES - 1) * STAGE_BYTES ? 0 : stage + STAGE_BYTES;
  };

  Fragment of_a[2][SIDE / 16], of_b[2][SIDE / 16];
  const auto read = [&](unsigned stage, int step, int into) {
#pragma unroll
    for (int i = 0; i < SIDE / 16; ++i)
      load_matrices(of_a[into][i], ((read_a + stage) ^ (step * 2 * CHUNK)) + i * 16 * A_ROW);
#pragma unroll
    for (int j = 0; j < SIDE / 16; ++j)
      load_transposed(of_b[into][j], ((read_b + stage) ^ (j * 2 * CHUNK)) + step * 16 * B_ROW);
  };

#pragma unroll
  for (int stage = 0; stage < STAGES - 1; ++stage) {
    fetch(stage * STAGE_BYTES, 0, 1);
    commit();
  }
  wait_for_next();
  unsigned reading = 0, writing = (STAGES - 1) * STAGE_BYTES;
  read(reading, 0, 0);

  float sum[SIDE / 16][SIDE / 8][4] = {};
  for (int first = 0; first < n; first += DEPTH) {
    const bool more = first + (STAGES - 1) * DEPTH < n;
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
      if (step == STEPS - 1) {
        commit();
        wait_for_next();
        reading = after(reading);
        writing = after(writing);
      }
      read(reading, (step + 1) % STEPS, (step + 1) % 2);  // after the last tile: an old one, not used
      if (more && step < STEPS - 1) fetch(writing, step, STEPS - 1);
#pragma unroll
      for (int i = 0; i < SIDE / 16; ++i)
#pragma unroll
        for (int j = 0; j < SIDE / 8; ++j)
          multiply(sum[i][j], of_a[step % 2][i], of_b[step % 2][j / 2].word[j % 2 * 2],
                   of_b[step % 2][j / 2].word[j % 2 * 2 + 1]);
    }
  }

  half* to =
      c + static_cast<size_t>(blockIdx.y * ROWS + y + lane / 4) * n + blockIdx.x * COLUMNS + x + lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < SIDE / 16; ++i)
#pragma unroll
    for (int j = 0; j < SIDE / 8; ++j) {
      half* at = to + static_cast<size_t>(16 * i) * n + 8 * j;
      *reinterpret_cast<half2*>(at) = __floats2half2_rn(sum[i][j][0], sum[i][j][1]);
      *reinterpret_cast<half2*>(at + static_cast<size_t>(8) * n) =
          __floats2half2_rn(sum[i][j][2], sum[i][j][3]);
    }
}
