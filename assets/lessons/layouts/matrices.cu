// A tile of 8 rows of 64 halves is stored by rows and read by ldmatrix.
// A matrix is 8 rows of 16 bytes: it takes one wavefront if they lie in different banks.

static constexpr int kRows = 8, kColumns = 64, kGroup = 8;  // halves in 16 bytes

/// The layout (8,64):(64,1), with PADDING groups after each row, composed with Swizzle<SWIZZLE, 3, 3>.
__device__ int offset_of(int row, int column) {
  const int offset = row * (kColumns + kGroup * PADDING) + column;
  return offset ^ ((offset >> 3) & (((1 << SWIZZLE) - 1) << 3));
}

extern "C" __global__ void matrices(const unsigned short* in, unsigned short* out) {
  // Whole periods of the swizzle, padded or not.
  __shared__ __align__(1024) unsigned short tile[1024];
  const int lane = threadIdx.x;
  in += blockIdx.x * kRows * kColumns;
  out += blockIdx.x * kRows * kColumns;

  for (int half = 0; half < kRows; half += 4) {
    const int row = half + lane / 8, column = lane % 8 * kGroup;
    const uint4 group = *reinterpret_cast<const uint4*>(in + row * kColumns + column);
    *reinterpret_cast<uint4*>(tile + offset_of(row, column)) = group;
  }
  __syncwarp();

  for (int left = 0; left < kColumns; left += 4 * kGroup) {
    // Lane l has the address of row l % 8 of matrix l / 8.
    const unsigned short* start = tile + offset_of(lane % 8, left + lane / 8 * kGroup);
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(start));
    unsigned pair[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(pair[0]), "=r"(pair[1]), "=r"(pair[2]), "=r"(pair[3])
                 : "r"(address)
                 : "memory");
    // Of each matrix, lane l gets two halves of row l / 4.
    for (int matrix = 0; matrix < 4; ++matrix) {
      const int column = left + matrix * kGroup + lane % 4 * 2;
      *reinterpret_cast<unsigned*>(out + lane / 4 * kColumns + column) = pair[matrix];
    }
  }
}
