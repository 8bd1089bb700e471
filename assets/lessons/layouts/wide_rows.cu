// A tile of 32 x 32 floats is stored by rows, 16 bytes with each lane, and read by columns of single floats.
// Four floats stay together, so a column has only 8 groups of banks to choose from: no layout serves both.

static constexpr int kSide = 32, kGroup = 4;  // floats in 16 bytes

/// The layout (32,32):(32,1), with PADDING groups after each row, composed with Swizzle<SWIZZLE, 2, 3>.
__device__ int offset_of(int row, int column) {
  const int offset = row * (kSide + kGroup * PADDING) + column;
  return offset ^ ((offset >> 3) & (((1 << SWIZZLE) - 1) << 2));
}

extern "C" __global__ void wide_rows(const float* in, float* out) {
  // Whole periods of the swizzle, padded or not.
  __shared__ __align__(1024) float tile[kSide * (kSide + 2 * kGroup)];
  const int lane = threadIdx.x;
  in += blockIdx.x * kSide * kSide;
  out += blockIdx.x * kSide * kSide;

  for (int top = 0; top < kSide; top += 4) {
    const int row = top + lane / 8, column = lane % 8 * kGroup;
    const float4 group = *reinterpret_cast<const float4*>(in + row * kSide + column);
    *reinterpret_cast<float4*>(tile + offset_of(row, column)) = group;
  }
  __syncwarp();

  // Unrolled, the compiler would join loads of neighboring columns where it finds them side by side.
#pragma unroll 1
  for (int column = 0; column < kSide; ++column) {
    out[column * kSide + lane] = tile[offset_of(lane, column)];
  }
}
