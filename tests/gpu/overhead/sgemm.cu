// Single-precision matrix products C = A B of n x n floats, from one output per thread to tiles of registers
// in tiles of warps: inner loops that a compiler unrolls and keeps in registers, for what recorders cost
// there (gpu_overhead.cpp). n is a multiple of 128.

constexpr int kSide = 32;  // of the tiles of one output per thread

/// One output per thread; the lanes of a warp share a column.
extern "C" __global__ void sgemm_column(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.x * kSide + threadIdx.x, column = blockIdx.y * kSide + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

/// The same with the lanes of a warp in a row.
extern "C" __global__ void sgemm_row(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * kSide + threadIdx.y, column = blockIdx.x * kSide + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

/// Tiles of both inputs in shared memory.
extern "C" __global__ void sgemm_shared(const float* a, const float* b, float* c, int n) {
  __shared__ float of_a[kSide][kSide], of_b[kSide][kSide];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kSide + y, column = blockIdx.x * kSide + x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += kSide) {
    of_a[y][x] = a[row * n + k0 + x];
    of_b[y][x] = b[(k0 + y) * n + column];
    __syncthreads();
    for (int k = 0; k < kSide; ++k) sum += of_a[y][k] * of_b[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/// Tiles of 64 x 64 outputs of 512 threads, each with eight outputs of a column.
extern "C" __global__ void sgemm_tile_1d(const float* a, const float* b, float* c, int n) {
  constexpr int kTile = 64, kDepth = 8, kEach = 8;
  __shared__ float of_a[kTile * kDepth], of_b[kDepth * kTile];
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  const int a_row = threadIdx.x / kDepth, a_column = threadIdx.x % kDepth;
  a += blockIdx.y * kTile * n;
  b += blockIdx.x * kTile;
  c += blockIdx.y * kTile * n + blockIdx.x * kTile;
  float sums[kEach] = {};
  for (int k0 = 0; k0 < n; k0 += kDepth) {
    of_a[a_row * kDepth + a_column] = a[a_row * n + a_column];
    of_b[y * kTile + x] = b[y * n + x];
    __syncthreads();
    a += kDepth;
    b += kDepth * n;
    for (int k = 0; k < kDepth; ++k) {
      const float right = of_b[k * kTile + x];
      for (int i = 0; i < kEach; ++i) sums[i] += of_a[(y * kEach + i) * kDepth + k] * right;
    }
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i) c[(y * kEach + i) * n + x] = sums[i];
}

/// Tiles of 128 x 128 outputs of 256 threads, each with 8 x 8 outputs.
extern "C" __global__ void sgemm_tile_2d(const float* a, const float* b, float* c, int n) {
  constexpr int kTile = 128, kDepth = 8, kEach = 8;
  __shared__ float of_a[kTile * kDepth], of_b[kDepth * kTile];
  const int x = threadIdx.x % (kTile / kEach), y = threadIdx.x / (kTile / kEach);
  const int a_row = threadIdx.x / kDepth, a_column = threadIdx.x % kDepth;
  const int b_row = threadIdx.x / kTile, b_column = threadIdx.x % kTile;
  a += blockIdx.y * kTile * n;
  b += blockIdx.x * kTile;
  c += blockIdx.y * kTile * n + blockIdx.x * kTile;
  float sums[kEach][kEach] = {};
  for (int k0 = 0; k0 < n; k0 += kDepth) {
    for (int i = 0; i < kTile; i += 32) of_a[(a_row + i) * kDepth + a_column] = a[(a_row + i) * n + a_column];
    for (int i = 0; i < kDepth; i += 2) of_b[(b_row + i) * kTile + b_column] = b[(b_row + i) * n + b_column];
    __syncthreads();
    a += kDepth;
    b += kDepth * n;
    for (int k = 0; k < kDepth; ++k) {
      float left[kEach], right[kEach];
      for (int i = 0; i < kEach; ++i) left[i] = of_a[(y * kEach + i) * kDepth + k];
      for (int i = 0; i < kEach; ++i) right[i] = of_b[k * kTile + x * kEach + i];
      for (int i = 0; i < kEach; ++i)
        for (int j = 0; j < kEach; ++j) sums[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i)
    for (int j = 0; j < kEach; ++j) c[(y * kEach + i) * n + x * kEach + j] = sums[i][j];
}

/// The same by float4, and A transposed in shared memory.
extern "C" __global__ void sgemm_vector(const float* a, const float* b, float* c, int n) {
  constexpr int kTile = 128, kDepth = 8, kEach = 8;
  __shared__ float of_a[kDepth * kTile], of_b[kDepth * kTile];
  const int x = threadIdx.x % (kTile / kEach), y = threadIdx.x / (kTile / kEach);
  const int a_row = threadIdx.x / (kDepth / 4), a_column = threadIdx.x % (kDepth / 4) * 4;
  const int b_row = threadIdx.x / (kTile / 4), b_column = threadIdx.x % (kTile / 4) * 4;
  a += blockIdx.y * kTile * n;
  b += blockIdx.x * kTile;
  c += blockIdx.y * kTile * n + blockIdx.x * kTile;
  float sums[kEach][kEach] = {};
  for (int k0 = 0; k0 < n; k0 += kDepth) {
    const float4 four = *reinterpret_cast<const float4*>(&a[a_row * n + a_column]);
    of_a[(a_column + 0) * kTile + a_row] = four.x;
    of_a[(a_column + 1) * kTile + a_row] = four.y;
    of_a[(a_column + 2) * kTile + a_row] = four.z;
    of_a[(a_column + 3) * kTile + a_row] = four.w;
    *reinterpret_cast<float4*>(&of_b[b_row * kTile + b_column]) =
        *reinterpret_cast<const float4*>(&b[b_row * n + b_column]);
    __syncthreads();
    a += kDepth;
    b += kDepth * n;
    for (int k = 0; k < kDepth; ++k) {
      float left[kEach], right[kEach];
      for (int i = 0; i < kEach; ++i) left[i] = of_a[k * kTile + y * kEach + i];
      for (int i = 0; i < kEach; ++i) right[i] = of_b[k * kTile + x * kEach + i];
      for (int i = 0; i < kEach; ++i)
        for (int j = 0; j < kEach; ++j) sums[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i)
    for (int j = 0; j < kEach; j += 4)
      *reinterpret_cast<float4*>(&c[(y * kEach + i) * n + x * kEach + j]) =
          make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]);
}

/// Tiles of 128 x 128 outputs of 128 threads: a warp has 64 x 64 of them, a thread four times 8 x 4.
extern "C" __global__ void sgemm_warp(const float* a, const float* b, float* c, int n) {
  constexpr int kTile = 128, kDepth = 16, kOfWarp = 64, kRows = 8, kColumns = 4, kParts = 4;
  __shared__ float of_a[kDepth * kTile], of_b[kDepth * kTile];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int warp_y = warp / 2, warp_x = warp % 2, lane_x = lane % 4, lane_y = lane / 4;
  const int a_row = threadIdx.x / (kDepth / 4), a_column = threadIdx.x % (kDepth / 4) * 4;
  const int b_row = threadIdx.x / (kTile / 4), b_column = threadIdx.x % (kTile / 4) * 4;
  a += blockIdx.y * kTile * n;
  b += blockIdx.x * kTile;
  c += (blockIdx.y * kTile + warp_y * kOfWarp) * n + blockIdx.x * kTile + warp_x * kOfWarp;
  float sums[kParts][kRows][kColumns] = {};
  for (int k0 = 0; k0 < n; k0 += kDepth) {
    for (int i = 0; i < kTile; i += 32) {
      const float4 four = *reinterpret_cast<const float4*>(&a[(a_row + i) * n + a_column]);
      of_a[(a_column + 0) * kTile + a_row + i] = four.x;
      of_a[(a_column + 1) * kTile + a_row + i] = four.y;
      of_a[(a_column + 2) * kTile + a_row + i] = four.z;
      of_a[(a_column + 3) * kTile + a_row + i] = four.w;
    }
    for (int i = 0; i < kDepth; i += 4)
      *reinterpret_cast<float4*>(&of_b[(b_row + i) * kTile + b_column]) =
          *reinterpret_cast<const float4*>(&b[(b_row + i) * n + b_column]);
    __syncthreads();
    a += kDepth;
    b += kDepth * n;
    for (int k = 0; k < kDepth; ++k) {
      float left[kRows], right[kParts][kColumns];
      for (int i = 0; i < kRows; ++i) left[i] = of_a[k * kTile + warp_y * kOfWarp + lane_y * kRows + i];
      for (int part = 0; part < kParts; ++part)
        for (int j = 0; j < kColumns; ++j)
          right[part][j] = of_b[k * kTile + warp_x * kOfWarp + part * 16 + lane_x * kColumns + j];
      for (int part = 0; part < kParts; ++part)
        for (int i = 0; i < kRows; ++i)
          for (int j = 0; j < kColumns; ++j) sums[part][i][j] += left[i] * right[part][j];
    }
    __syncthreads();
  }
  for (int part = 0; part < kParts; ++part)
    for (int i = 0; i < kRows; ++i)
      for (int j = 0; j < kColumns; ++j)
        c[(lane_y * kRows + i) * n + part * 16 + lane_x * kColumns + j] = sums[part][i][j];
}
