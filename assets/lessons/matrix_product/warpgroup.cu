// wgmma: a warpgroup, four warps, multiplies 64 x 16 by 16 x 256 halves in one instruction, which reads both
// operands from shared memory by itself. Its threads copy later tiles while the tensor cores work.
#include <cuda_fp16.h>

constexpr int ROWS = 128, COLUMNS = 256, DEPTH = 64;  // the tile of a block
constexpr int SIDE = 64;                              // rows of a warpgroup; it computes SIDE x COLUMNS
constexpr int THREADS = 128 * (ROWS / SIDE);
constexpr int STAGES = 4;
constexpr int CHUNK = 16;  // bytes of a copy
constexpr int LINE = 128;  // bytes: 64 halves, of the depth in a and of a row in b

// A stage: the lines of a, then those of b, 64 columns after 64 columns. Chunk c of line l is at c xor l % 8.
constexpr int A_BYTES = ROWS * LINE;
constexpr int PANEL_BYTES = DEPTH * LINE;  // 64 columns of b
constexpr int STAGE_BYTES = A_BYTES + COLUMNS / 64 * PANEL_BYTES;

// A pass of the block copies so many lines.
constexpr int PASS = THREADS / (LINE / CHUNK);
constexpr int A_PASSES = ROWS / PASS, PANEL_PASSES = DEPTH / PASS;
static_assert(PASS % 8 == 0, "line % 8 must be the same in each pass");

/// A matrix in shared memory whose rows of 128 bytes are swizzled: chunk c of row r is at c xor r % 8. Eight
/// rows are followed by the next eight after `stride` bytes; `leading` is from one column of such patterns to
/// the next.
__device__ inline unsigned long long descriptor(unsigned address, unsigned leading, unsigned stride) {
  constexpr unsigned long long SWIZZLE_128 = 1ull << 62;
  return SWIZZLE_128 | static_cast<unsigned long long>(stride >> 4) << 32 | (leading >> 4) << 16 |
         address >> 4;
}

/// What this thread wrote to shared memory may be read by wgmma of threads that a barrier orders after it.
__device__ inline void publish_to_wgmma() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
/// The registers of the sums are the tensor cores' until wait_for_products().
__device__ inline void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void end_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Until no more than the latest `running` groups of products are not finished.
template <int running>
__device__ inline void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(running) : "memory");
}

#define SUMS4(n) "+f"(sum[n]), "+f"(sum[n + 1]), "+f"(sum[n + 2]), "+f"(sum[n + 3])
#define SUMS16(n) SUMS4(n), SUMS4(n + 4), SUMS4(n + 8), SUMS4(n + 12)
#define SUMS64(n) SUMS16(n), SUMS16(n + 16), SUMS16(n + 32), SUMS16(n + 48)

/// sum += A x B: 64 x 16 halves by rows, 16 x 256 by rows, both in shared memory.
__device__ inline void multiply(float (&sum)[128], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
      "%128, %129, 1, 1, 1, 0, 1;"
      : SUMS64(0), SUMS64(64)
      : "l"(a), "l"(b)  // @operands
      : "memory");
}
__device__ inline void copy_async(unsigned to, const half* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");  // @copy
}

__device__ inline unsigned pack(float low, float high) {
  const half2 both = __floats2half2_rn(low, high);
  return *reinterpret_cast<const unsigned*>(&both);
}
__device__ inline void store_matrices(unsigned address, unsigned r0, unsigned r1, unsigned r2, unsigned r3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(r0),
               "r"(r1), "r"(r2), "r"(r3)
               : "memory");
}

extern "C" __global__ void __launch_bounds__(THREADS, 1)
    warpgroup(const half* a, const half* b, half* c, int n) {
  extern __shared__ __align__(1024) char stages[];
  const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(stages));

  // What this thread copies: one chunk of a line in each pass.
  const int line = threadIdx.x / (LINE / CHUNK), chunk = threadIdx.x % (LINE / CHUNK);
  const unsigned write = base + line * LINE + (chunk ^ line % 8) * CHUNK;
  const half* from_a = a + static_cast<size_t>(blockIdx.y * ROWS + line) * n + chunk * 8;
  const half* from_b = b + static_cast<size_t>(line) * n + blockIdx.x * COLUMNS + chunk * 8;
  const auto fetch = [&](unsigned stage) {
#pragma unroll
    for (int i = 0; i < A_PASSES; ++i)
      copy_async(write + stage + i * PASS * LINE, from_a + static_cast<size_t>(i * PASS) * n);
#pragma unroll
    for (int i = 0; i < PANEL_PASSES; ++i)
#pragma unroll
      for (int panel = 0; panel < COLUMNS / 64; ++panel)
        copy_async(write + stage + A_BYTES + panel * PANEL_BYTES + i * PASS * LINE,
                   from_b + static_cast<size_t>(i * PASS) * n + panel * 64);
    from_a += DEPTH;
    from_b += static_cast<size_t>(DEPTH) * n;
  };
  const auto commit = [] { asm volatile("cp.async.commit_group;" ::: "memory"); };

  // Of a step of 16 of the depth: 32 bytes on in the lines of a, 16 lines on in b.
  const int group = threadIdx.x / 128;
  const unsigned long long left = descriptor(base + group * SIDE * LINE, 0, 8 * LINE);
  const unsigned long long right = descriptor(base + A_BYTES, PANEL_BYTES, 8 * LINE);
  constexpr unsigned LEFT_STEP = 32 >> 4, RIGHT_STEP = 16 * LINE >> 4;

  // Two tiles are fetched ahead. Of the four stages one is multiplied, the next waits its turn, one is being
  // filled, and one is free once the products of two tiles ago are finished.
  constexpr int AHEAD = STAGES - 2;
#pragma unroll
  for (int tile = 0; tile < AHEAD; ++tile) {
    fetch(tile * STAGE_BYTES);
    commit();
  }
  unsigned reading = 0, writing = AHEAD * STAGE_BYTES;
  const auto after = [](unsigned stage) {
    return stage == (STAGES - 1) * STAGE_BYTES ? 0 : stage + STAGE_BYTES;
  };

  float sum[SIDE * COLUMNS / 128] = {};
  for (int first = 0; first < n; first += DEPTH) {
    asm volatile("cp.async.wait_group %0;" ::"n"(AHEAD - 1) : "memory");
    publish_to_wgmma();
    __syncthreads();
    begin_products();
#pragma unroll
    for (int step = 0; step < DEPTH / 16; ++step)
      multiply(sum, left + (reading >> 4) + step * LEFT_STEP, right + (reading >> 4) + step * RIGHT_STEP);
    end_products();
    if (first + AHEAD * DEPTH < n) fetch(writing);
    commit();
    wait_for_products<1>();  // those of the tile before; of this one they go on
    reading = after(reading);
    writing = after(writing);
  }
  wait_for_products<0>();

  // Through shared memory, so that a warp writes whole rows: of its 16 x 256 halves a lane has pairs of
  // columns. Rows are 16 bytes longer than that, which puts those of an stmatrix into different banks.
  constexpr int PITCH = COLUMNS * 2 + CHUNK;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned own = base + warp * 16 * PITCH;
  __syncthreads();  // the products of both warpgroups have read their last stage
#pragma unroll
  for (int i = 0; i < COLUMNS / 16; ++i)
    store_matrices(own + lane % 16 * PITCH + (2 * i + lane / 16) * CHUNK, pack(sum[8 * i], sum[8 * i + 1]),
                   pack(sum[8 * i + 2], sum[8 * i + 3]), pack(sum[8 * i + 4], sum[8 * i + 5]),
                   pack(sum[8 * i + 6], sum[8 * i + 7]));
  __syncwarp();
  half* to = c + static_cast<size_t>(blockIdx.y * ROWS + warp * 16) * n + blockIdx.x * COLUMNS + lane * 8;
#pragma unroll
  for (int row = 0; row < 16; ++row)
    *reinterpret_cast<uint4*>(to + static_cast<size_t>(row) * n) =
        *reinterpret_cast<const uint4*>(stages + (warp * 16 + row) * PITCH + lane * CHUNK);
}
