// Each warp owns 64 x 64 elements of c and each lane 16 x 8 of them: 6 loads for 128 multiplications. The
// lanes are numbered so that pairs share their 16 bytes, of a (lanes 2n and 2n + 1) and of b (lanes n and n +
// 2): such a load takes 2 wavefronts, not 4. The elements for the next k are read while those of this k are
// multiplied.

constexpr int ROWS = 128, COLUMNS = 256, DEPTH = 8;  // the tile of a block
constexpr int SIDE = 64;                             // a warp computes SIDE x SIDE
constexpr int WARPS = (ROWS / SIDE) * (COLUMNS / SIDE);
constexpr int THREADS = 32 * WARPS;
constexpr int STAGES = 3;  // two copies are under way while the third tile is multiplied
constexpr int PADDING = 4;
constexpr int M = 16, N = 8;  // elements of a lane

struct Stage {
  float left[DEPTH][ROWS + PADDING];
  float right[DEPTH][COLUMNS];
};

template <int BYTES>
__device__ inline void copy_async(float* to, const float* from) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (BYTES == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");  // @copy_b
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");  // @copy_a
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    warp_tiles(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) Stage stages[STAGES];

  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // Of the lane's 5 bits two choose rows and three choose columns.
  const int lane_row = (lane >> 1 & 1) | (lane >> 4 << 1);
  const int lane_column = (lane & 1) | (lane >> 2 & 3) << 1;
  const int y = warp / (COLUMNS / SIDE) * SIDE + lane_row * 4;
  const int x = warp % (COLUMNS / SIDE) * SIDE + lane_column * 4;
  a += static_cast<size_t>(blockIdx.y * ROWS) * n;
  b += blockIdx.x * COLUMNS;
  c += static_cast<size_t>(blockIdx.y * ROWS) * n + blockIdx.x * COLUMNS;

  const auto fetch = [&](Stage& into, int first) {
#pragma unroll
    for (int i = 0; i < ROWS * DEPTH; i += THREADS) {
      const int row = (i + threadIdx.x) / DEPTH, k = threadIdx.x % DEPTH;
      copy_async<4>(&into.left[k][row], a + static_cast<size_t>(row) * n + first + k);
    }
#pragma unroll
    for (int i = 0; i < DEPTH * COLUMNS / 4; i += THREADS) {
      const int k = (i + threadIdx.x) / (COLUMNS / 4), column = threadIdx.x % (COLUMNS / 4) * 4;
      copy_async<16>(&into.right[k][column], b + static_cast<size_t>(first + k) * n + column);
    }
  };
  const auto commit = [] { asm volatile("cp.async.commit_group;" ::: "memory"); };
  const auto wait_for_next = [] {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
  };

  float from_a[2][M], from_b[2][N];
  const auto read = [&](Stage& from, int k, int into) {
#pragma unroll
    for (int i = 0; i < M; i += 4)
      *reinterpret_cast<float4*>(&from_a[into][i]) =
          *reinterpret_cast<float4*>(&from.left[k][y + 4 * i]);  // @left
#pragma unroll
    for (int j = 0; j < N; j += 4)
      *reinterpret_cast<float4*>(&from_b[into][j]) =
          *reinterpret_cast<float4*>(&from.right[k][x + 8 * j]);  // @right
  };

#pragma unroll
  for (int stage = 0; stage < STAGES - 1; ++stage) {
    fetch(stages[stage], stage * DEPTH);
    commit();
  }
  wait_for_next();
  int reading = 0, writing = STAGES - 1;
  read(stages[reading], 0, 0);

  float sum[M][N] = {};
  for (int first = 0; first < n; first += DEPTH) {
#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      if (k == DEPTH - 1) {
        wait_for_next();
        reading = reading + 1 == STAGES ? 0 : reading + 1;
      }
      read(stages[reading], (k + 1) % DEPTH, (k + 1) % 2);  // after the last tile: an old one, not used
      if (k == 1) {  // not at once: the first loads of a tile go before its copies
        const int next = first + (STAGES - 1) * DEPTH;
        if (next < n) fetch(stages[writing], next);
        commit();
        writing = writing + 1 == STAGES ? 0 : writing + 1;
      }
#pragma unroll
      for (int i = 0; i < M; ++i)
#pragma unroll
        for (int j = 0; j < N; ++j) {
          const int column =
              i % 2 == 0 ? j : N - 1 - j;  // there and back: the next one finds an operand still at hand
          sum[i][column] += from_a[k % 2][i] * from_b[k % 2][column];
        }
    }
  }

#pragma unroll
  for (int i = 0; i < M; ++i)
#pragma unroll
    for (int j = 0; j < N; j += 4)
      *reinterpret_cast<float4*>(c + static_cast<size_t>(y + i / 4 * 16 + i % 4) * n + x + 8 * j) =
          make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}
