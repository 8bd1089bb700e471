// Kernels that isolate one behaviour of the caches each. Loads and stores are volatile assembly: as many as
// are written, in this order.
#define LD(op, name)                                                      \
  static __device__ __forceinline__ float name(const float* p) {          \
    float v;                                                              \
    asm volatile("ld" op ".f32 %0, [%1];" : "=f"(v) : "l"(p) : "memory"); \
    return v;                                                             \
  }
LD(".global", ld)
LD(".global.ca", ld_ca) LD(".global.cg", ld_cg) LD(".global.cs", ld_cs) LD(".global.lu", ld_lu)
    LD(".global.cv", ld_cv) LD(".global.nc", ld_nc) LD(".volatile.global", ld_vol)
        LD(".relaxed.gpu.global", ld_relaxed) LD(".global.L1::no_allocate", ld_na)
            LD(".global.L1::evict_first", ld_ef) LD(".global.L1::evict_last", ld_el)
                LD(".global.nc.L1::no_allocate", ld_nc_na) LD(".global.L2::64B", ld_64)
                    LD(".global.L2::128B", ld_128)
                        LD(".global.L2::256B", ld_256) static __device__ __forceinline__
    void st(float* p, float v) {
  asm volatile("st.global.f32 [%0], %1;" ::"l"(p), "f"(v) : "memory");
}
static __device__ __forceinline__ void st_wt(float* p, float v) {
  asm volatile("st.global.wt.f32 [%0], %1;" ::"l"(p), "f"(v) : "memory");
}
static __device__ __forceinline__ void st_cs(float* p, float v) {
  asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(p), "f"(v) : "memory");
}
static __device__ __forceinline__ void keep(float s, float* o) {
  if (s == 123.456f) *o = s;
}
#define K extern "C" __global__ void

// Each block reads its own `words` words `rounds` times; the threads of a block go through them together.
// bar: barrier after each round.
K ws(const float* p, float* o, int words, int rounds, int bar) {
  p += (size_t)blockIdx.x * words;
  float s = 0;
  for (int r = 0; r < rounds; ++r) {
    for (int i = threadIdx.x; i < words; i += blockDim.x) s += ld(p + i);
    if (bar) __syncthreads();
  }
  keep(s, o);
}
// Each block reads its own words as `ws` does, with the loads of eight steps under way together.
K ws8(const float* p, float* o, int words, int rounds, int bar) {
  p += (size_t)blockIdx.x * words;
  float s = 0;
  for (int r = 0; r < rounds; ++r) {
    for (int i = threadIdx.x; i < words; i += blockDim.x * 8) {
      float v[8];
#pragma unroll
      for (int j = 0; j < 8; ++j) v[j] = ld(p + i + j * blockDim.x);
#pragma unroll
      for (int j = 0; j < 8; ++j) s += v[j];
    }
    if (bar) __syncthreads();
  }
  keep(s, o);
}
// Each warp reads its own words/warps words.
K ws_warp(const float* p, float* o, int words, int rounds) {
  int warps = blockDim.x / 32, part = words / warps;
  p += (size_t)blockIdx.x * words + threadIdx.x / 32 * part;
  float s = 0;
  for (int r = 0; r < rounds; ++r)
    for (int i = threadIdx.x % 32; i < part; i += 32) s += ld(p + i);
  keep(s, o);
}
// Random words of a region of the block's own (power of two).
K ws_random(const float* p, float* o, int lines, int steps) {
  p += (size_t)blockIdx.x * lines * 32;
  unsigned x = threadIdx.x / 32 * 7919 + 12345;
  float s = 0;
  for (int r = 0; r < steps; ++r) {
    x = x * 1664525 + 1013904223;
    s += ld(p + (unsigned)((unsigned long long)x * lines >> 32) * 32 + threadIdx.x % 32);
  }
  keep(s, o);
}
#define WS(name, f)                                                        \
  K name(const float* p, float* o, int words, int rounds) {                \
    p += (size_t)blockIdx.x * words;                                       \
    float s = 0;                                                           \
    for (int r = 0; r < rounds; ++r) {                                     \
      for (int i = threadIdx.x; i < words; i += blockDim.x) s += f(p + i); \
      __syncthreads();                                                     \
    }                                                                      \
    keep(s, o);                                                            \
  }
WS(op_ca, ld_ca)
WS(op_cg, ld_cg) WS(op_cs, ld_cs) WS(op_lu, ld_lu) WS(op_cv, ld_cv) WS(op_nc, ld_nc) WS(op_volatile, ld_vol)
    WS(op_relaxed, ld_relaxed) WS(op_no_allocate, ld_na) WS(op_evict_first, ld_ef) WS(op_evict_last, ld_el)
        WS(op_nc_no_allocate, ld_nc_na)
    // Two regions: A (hot, read each round) and B (streamed once) by different operations.
    K hot_stream(const float* p, float* o, int hot, int stream, int rounds, int op) {
  const float *h = p + (size_t)blockIdx.x * (hot + stream * rounds), *q = h + hot;
  float s = 0;
  for (int r = 0; r < rounds; ++r) {
    for (int i = threadIdx.x; i < hot; i += blockDim.x) s += op == 4 ? ld_el(h + i) : ld(h + i);
    __syncthreads();
    for (int i = threadIdx.x; i < stream; i += blockDim.x)
      s += op == 1   ? ld_cs(q + r * stream + i)
           : op == 2 ? ld_na(q + r * stream + i)
           : op == 3 ? ld_ef(q + r * stream + i)
                     : ld(q + r * stream + i);
    __syncthreads();
  }
  keep(s, o);
}
// One word each of `lines` places, `stride` words apart, by one warp of each block; all blocks the same
// places.
K stride_ws(const float* p, float* o, int places, int stride, int rounds) {
  float s = 0;
  for (int r = 0; r < rounds; ++r)
    for (int i = threadIdx.x; i < places; i += blockDim.x) s += ld(p + (size_t)i * stride);
  keep(s, o);
}
// One word of each `stride` words, once. op: 0 plain, 1 L2::64B, 2 L2::128B, 3 L2::256B, 4 cg, 5 nc.
K sparse(const float* p, float* o, int stride, int offset, int op) {
  size_t i = (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * stride + offset;
  const float* q = p + i;
  keep(op == 0   ? ld(q)
       : op == 1 ? ld_64(q)
       : op == 2 ? ld_128(q)
       : op == 3 ? ld_256(q)
       : op == 4 ? ld_cg(q)
                 : ld_nc(q),
       o);
}
K sparse_store(float* p, int stride, int offset) {
  st(p + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * stride + offset, 1.f);
}
K sparse_store16(float4* p, int stride, int offset) {
  float4* q = p + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * stride + offset;
  asm volatile("st.global.v4.f32 [%0], {%1,%1,%1,%1};" ::"l"(q), "f"(1.f) : "memory");
}
// All warps of a block read the same lines. unroll loads under way together.
K same(const float* p, float* o, int lines) {
  p += (size_t)blockIdx.x * lines * 32;
  float s = 0;
  for (int i = 0; i < lines; ++i) s += ld(p + i * 32 + threadIdx.x % 32);
  keep(s, o);
}
K same8(const float* p, float* o, int lines) {
  p += (size_t)blockIdx.x * lines * 32;
  float s = 0;
  for (int i = 0; i < lines; i += 8) {
    float v[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) v[j] = ld(p + (i + j) * 32 + threadIdx.x % 32);
#pragma unroll
    for (int j = 0; j < 8; ++j) s += v[j];
  }
  keep(s, o);
}
// One warp loads the eight words of a sector of each lane, one after the other without waiting (rows) or
// waiting each time.
K rows8(const float* p, float* o, int wait) {
  p += ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 8;
  float s = 0;
  if (wait) {
    int z = 0;
    for (int j = 0; j < 8; ++j) {
      float v = ld(p + j + z);
      z = v == 77.f;
      s += v;
    }
  } else {
    float v[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) v[j] = ld(p + j);
#pragma unroll
    for (int j = 0; j < 8; ++j) s += v[j];
  }
  keep(s, o);
}
// Each warp reads another sector of the same lines.
K split_line(const float* p, float* o, int lines) {
  p += (size_t)blockIdx.x * lines * 32;
  int w = threadIdx.x / 32 % 4, l = threadIdx.x % 32;
  float s = 0;
  for (int i = l / 8; i < lines; i += 4) s += ld(p + i * 32 + w * 8 + l % 8);
  keep(s, o);
}
// Stores and loads of a region of the block. mode: 0 store all, load all; 1 load, store, load; 2 store the
// even words, load all; 3 store, load what another warp stored; 4 load, another warp stores, load; 5 store
// twice; 6 load, store the even words, load; 7 store only
K st_ld(float* p, float* o, int words, int mode) {
  p += (size_t)blockIdx.x * words;
  float s = 0;
  int n = blockDim.x, t = threadIdx.x, u = (t + 32) % n;
  if (mode == 1 || mode == 4 || mode == 6) {
    for (int i = t; i < words; i += n) s += ld(p + i);
    __syncthreads();
  }
  if (mode == 2 || mode == 6) {
    for (int i = t; i < words / 2; i += n) st(p + i * 2, s);
  } else
    for (int i = 0; i < words; i += n) st(p + i + (mode == 4 ? u : t), 1.f + s);
  __syncthreads();
  if (mode == 5)
    for (int i = 0; i < words; i += n) st(p + i + t, 2.f);
  else if (mode != 7)
    for (int i = 0; i < words; i += n) s += ld(p + i + (mode == 3 ? u : t));
  keep(s, o);
}
// Each lane fills its own sector: with eight stores of a word (0), in two of 16 bytes (1), eight words with a
// barrier between (2); or one word stored eight times (3).
K fill_sector(float* p, int mode) {
  p += ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 8;
  if (mode == 1) {
    for (int j = 0; j < 8; j += 4)
      asm volatile("st.global.v4.f32 [%0], {%1,%1,%1,%1};" ::"l"(p + j), "f"(1.f) : "memory");
  } else if (mode == 0) {
#pragma unroll
    for (int j = 0; j < 8; ++j) st(p + j, 1.f);
  } else if (mode == 2) {
    for (int j = 0; j < 8; ++j) {
      st(p + j, 1.f);
      __syncthreads();
    }
  } else {
    for (int j = 0; j < 8; ++j) {
      st(p, j);
      __syncthreads();
    }
  }
}
K store_ops(float* p, int n, int op) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (op == 0)
      st(p + i, 1.f);
    else if (op == 1)
      st_wt(p + i, 1.f);
    else
      st_cs(p + i, 1.f);
  }
}
K write_read(float* p, float* o, size_t words, int rounds) {
  float s = 0;
  size_t n = (size_t)gridDim.x * blockDim.x, t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (size_t i = t; i < words; i += n) st(p + i, 1.f);
  for (int r = 0; r < rounds; ++r)
    for (size_t i = t; i < words; i += n) s += ld_cg(p + i);
  keep(s, o);
}
K write_only(float* p, size_t words, int rounds) {
  size_t n = (size_t)gridDim.x * blockDim.x, t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rounds; ++r)
    for (size_t i = t; i < words; i += n) st(p + i, r);
}
// L2: each thread its own words, `rounds` times (own), or every block all words (all).
K l2_own(const float* p, float* o, size_t words, int rounds) {
  float s = 0;
  size_t n = (size_t)gridDim.x * blockDim.x, t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rounds; ++r)
    for (size_t i = t; i < words; i += n) s += ld_cg(p + i);
  keep(s, o);
}
K l2_all(const float* p, float* o, size_t words, int rounds) {
  float s = 0;
  for (int r = 0; r < rounds; ++r)
    for (size_t i = threadIdx.x; i < words; i += blockDim.x) s += ld_cg(p + i);
  keep(s, o);
}
K l2_swap(const float* p, float* o, size_t words, int rounds) {
  float s = 0;
  size_t n = (size_t)gridDim.x * blockDim.x;
  for (int r = 0; r < rounds; ++r) {
    size_t t = (size_t)((blockIdx.x + r * 37) % gridDim.x) * blockDim.x + threadIdx.x;
    for (size_t i = t; i < words; i += n) s += ld_cg(p + i);
  }
  keep(s, o);
}
// Which multiprocessor runs a block, and when it began.
K where(unsigned long long* o) {
  unsigned m;
  unsigned long long t;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(m));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  if (!threadIdx.x) {
    o[blockIdx.x * 2] = m;
    o[blockIdx.x * 2 + 1] = t;
  }
  unsigned long long c = clock64();
  while (clock64() - c < 20000) {
  }
}
// Block b reads region b / k (div) or b % k (mod).
K share(const float* p, float* o, int words, int k, int mod) {
  p += (size_t)(mod ? blockIdx.x % k : blockIdx.x / k) * words;
  float s = 0;
  for (int i = threadIdx.x; i < words; i += blockDim.x) s += ld(p + i);
  keep(s, o);
}
// Transposes without shared memory: reading columns (rows are written), or writing them. Block 32 x y, each
// block a tile of 32 x 32; or any block, an element a thread.
K tr_read(const float* in, float* out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y) st(out + (size_t)(y + j) * n + x, ld(in + (size_t)x * n + y + j));
}
K tr_write(const float* in, float* out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y) st(out + (size_t)x * n + y + j, ld(in + (size_t)(y + j) * n + x));
}
K tr_read1(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  st(out + (size_t)y * n + x, ld(in + (size_t)x * n + y));
}
K copy_off(const float* in, float* out, int n, int off) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) st(out + i, ld(in + i + off));
}
K copy_plain(const float* in, float* out, size_t n) {
  size_t m = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += m) st(out + i, ld(in + i));
}
K st1d(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) st(out + i, ld(in + i - 1) + ld(in + i) + ld(in + i + 1));
}
K st2d(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    const float* p = in + (size_t)y * w + x;
    st(out + (size_t)y * w + x, ld(p) + ld(p - 1) + ld(p + 1) + ld(p - w) + ld(p + w));
  }
}
K st3d(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1) {
    size_t m = (size_t)n * n;
    const float* p = in + z * m + (size_t)y * n + x;
    st(out + z * m + (size_t)y * n + x,
       ld(p) + ld(p - 1) + ld(p + 1) + ld(p - n) + ld(p + n) + ld(p - m) + ld(p + m));
  }
}
K mm_naive(const float* a, const float* b, float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < n; ++k) s += ld(a + y * n + k) * ld(b + k * n + x);
  st(c + y * n + x, s);
}
K mm_column(const float* a, const float* b, float* c, int n) {
  int y = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < n; ++k) s += ld(a + y * n + k) * ld(b + k * n + x);
  st(c + y * n + x, s);
}
K mm_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float s[32][32], t[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  float r = 0;
  for (int m = 0; m < n; m += 32) {
    s[threadIdx.y][threadIdx.x] = ld(a + y * n + m + threadIdx.x);
    t[threadIdx.y][threadIdx.x] = ld(b + (m + threadIdx.y) * n + x);
    __syncthreads();
    for (int q = 0; q < 32; ++q) r += s[threadIdx.y][q] * t[q][threadIdx.x];
    __syncthreads();
  }
  st(c + y * n + x, r);
}
K row_sum(const float* a, float* o, int w, int h) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= h) return;
  float s = 0;
  for (int i = 0; i < w; ++i) s += ld(a + (size_t)y * w + i);
  st(o + y, s);
}
K col_sum(const float* a, float* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  float s = 0;
  for (int i = 0; i < h; ++i) s += ld(a + (size_t)i * w + x);
  st(o + x, s);
}
K gather(const int* index, const float* table, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) st(o + i, ld(table + index[i]));
}
K aos(const float* p, float* o, int n, int fields) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int f = 0; f < fields; ++f) s += ld(p + (size_t)i * fields + f);
  st(o + i, s);
}
K red_add(float* p, const int* index, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) asm volatile("red.global.add.f32 [%0], %1;" ::"l"(p + index[i]), "f"(1.f) : "memory");
}
K atom_add(float* p, const int* index, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v;
    asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(v) : "l"(p + index[i]), "f"(1.f) : "memory");
    st(o + i, v);
  }
}
// Load, atomic on the same words, load again.
K ld_atom_ld(float* p, float* o, int words) {
  p += (size_t)blockIdx.x * words;
  float s = 0;
  for (int i = threadIdx.x; i < words; i += blockDim.x) s += ld(p + i);
  __syncthreads();
  for (int i = threadIdx.x; i < words; i += blockDim.x)
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(p + i), "f"(1.f) : "memory");
  __syncthreads();
  for (int i = threadIdx.x; i < words; i += blockDim.x) s += ld(p + i);
  keep(s, o);
}
// Local arrays of 64 words.
K local_array(const int* in, int* o, int rounds) {
  int a[64];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 64; ++i) a[i] = in[(t + i) & 1023];
  int s = t & 63;
  for (int r = 0; r < rounds; ++r) {
    s = a[s & 63] & 63;
    a[s] += r;
  }
  o[t] = s;
}
// Asynchronous copies to shared memory, twice over the same words. op: 0 .ca 4 bytes, 1 .ca 16, 2 .cg 16.
K async_twice(const float4* p, float* o, int n, int op) {
  __shared__ float4 b[256];
  p += (size_t)blockIdx.x * n;
  unsigned s = __cvta_generic_to_shared(&b[threadIdx.x]);
  for (int r = 0; r < 2; ++r)
    for (int i = threadIdx.x; i < n; i += 256) {
      if (op == 0)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(s), "l"(p + i) : "memory");
      else if (op == 1)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(s), "l"(p + i) : "memory");
      else
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(s), "l"(p + i) : "memory");
      asm volatile("cp.async.wait_all;" ::: "memory");
    }
  o[blockIdx.x * 256 + threadIdx.x] = b[threadIdx.x].x;
}
// Several blocks' worth of warps read one small table.
K table(const float* p, float* o, int words, int steps) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int r = 0; r < steps; ++r) {
    x = x * 1664525 + 1013904223;
    s += ld(p + (x >> 8) % words);
  }
  keep(s, o);
}
// Only the multiprocessors listed in `sms` work (others end); they start together and read the same region
// (same = 1) or one each.
K chosen(const float* p, float* o, int words, const int* sms, int count, int same, unsigned* arrived) {
  unsigned m;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(m));
  int at = -1;
  for (int i = 0; i < count; ++i)
    if (sms[i] == (int)m) at = i;
  if (at < 0) return;
  if (!threadIdx.x) {
    atomicAdd(arrived, 1u);
    while (*(volatile unsigned*)arrived < count) {
    }
  }
  __syncthreads();
  p += same ? 0 : (size_t)at * words;
  float s = 0;
  for (int i = threadIdx.x; i < words; i += blockDim.x) s += ld(p + i);
  keep(s, o);
}
// A hot region read each round; between, `stream` words are stored (op 0), or loaded by .cg (op 1), or
// updated by red (op 2).
K hot_store(float* p, float* o, int hot, int stream, int rounds, int op) {
  float *h = p + (size_t)blockIdx.x * (hot + stream * rounds), *q = h + hot;
  float s = 0;
  for (int r = 0; r < rounds; ++r) {
    for (int i = threadIdx.x; i < hot; i += blockDim.x) s += ld(h + i);
    __syncthreads();
    for (int i = threadIdx.x; i < stream; i += blockDim.x) {
      float* a = q + r * stream + i;
      if (op == 0)
        st(a, 1.f);
      else if (op == 1)
        s += ld_cg(a);
      else
        asm volatile("red.global.add.f32 [%0], %1;" ::"l"(a), "f"(1.f) : "memory");
    }
    __syncthreads();
  }
  keep(s, o);
}
// Forward, then backward, ...
K sweep(const float* p, float* o, int lines, int rounds) {
  p += (size_t)blockIdx.x * lines * 32 + threadIdx.x;
  float s = 0;
  for (int r = 0; r < rounds; ++r)
    for (int i = 0; i < lines; ++i) s += ld(p + (r & 1 ? lines - 1 - i : i) * 32);
  keep(s, o);
}
// One word of a sector is stored and the same word loaded; or another word of it.
K st_word(float* p, float* o, int other) {
  p += ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 8;
  st(p, 1.f);
  __syncthreads();
  keep(ld(p + other), o);
}
// Half of a sector is stored, then the other half, then all is loaded.
K st_halves(float* p, float* o) {
  p += ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * 8;
  for (int j = 0; j < 8; j += 4) {
    asm volatile("st.global.v4.f32 [%0], {%1,%1,%1,%1};" ::"l"(p + j), "f"(1.f) : "memory");
    __syncthreads();
  }
  float s = 0;
  for (int j = 0; j < 8; ++j) s += ld(p + j);
  keep(s, o);
}

// A thread adds words that are gridDim.x * blockDim.x apart, `loads` independent ones at a time.
template <int loads>
static __device__ void stream(const float* p, float* o, int words) {
  const int step = gridDim.x * blockDim.x;
  float s = 0;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += loads * step) {
    float v[loads];
#pragma unroll
    for (int n = 0; n < loads; ++n) v[n] = ld(p + i + n * step);
#pragma unroll
    for (int n = 0; n < loads; ++n) s += v[n];
  }
  keep(s, o);
}
K stream1(const float* p, float* o, int words) { stream<1>(p, o, words); }
K stream2(const float* p, float* o, int words) { stream<2>(p, o, words); }
K stream4(const float* p, float* o, int words) { stream<4>(p, o, words); }
K stream8(const float* p, float* o, int words) { stream<8>(p, o, words); }
