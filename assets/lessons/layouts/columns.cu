// A tile of 32 x 32 floats is stored by rows and read by columns, as a transpose does.
// Both take one wavefront if the 32 floats of a row, and those of a column, lie in different banks.

static constexpr int kSide = 32;

/// The layout (32,32):(32,1), with PADDING floats after each row, composed with Swizzle<SWIZZLE, 0, 5>.
__device__ int offset_of(int row, int column) {
  const int offset = row * (kSide + PADDING) + column;
  return offset ^ ((offset >> 5) & ((1 << SWIZZLE) - 1));
}

extern "C" __global__ void columns(const float* in, float* out) {
  __shared__ float tile[kSide * (kSide + 4)];
  const int lane = threadIdx.x;
  in += blockIdx.x * kSide * kSide;
  out += blockIdx.x * kSide * kSide;

#pragma unroll 1
  for (int row = 0; row < kSide; ++row) {
    tile[offset_of(row, lane)] = in[row * kSide + lane];
  }
  __syncwarp();

  // Unrolled, the compiler would join loads of neighboring columns where it finds them side by side.
#pragma unroll 1
  for (int column = 0; column < kSide; ++column) {
    out[column * kSide + lane] = tile[offset_of(lane, column)];
  }
}
