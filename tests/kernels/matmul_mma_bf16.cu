// Matrix product by mma.sync m16n8k16 in bfloat16, written as inline PTX: ldmatrix spreads the tiles over the lanes.
// B is stored by columns, so both operands are read the same way.
__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

extern "C" __global__ void matmul_mma_bf16(const uint4* a, const uint4* b, float* c, int n) {
  __shared__ uint4 tile_a[16][2], tile_b[8][2];
  const unsigned lane = threadIdx.x;
  const int row = blockIdx.y * 16, column = blockIdx.x * 8, eighths = n / 8;
  float sum[4] = {};
  for (int k = 0; k < eighths; k += 2) {
    tile_a[lane / 2][lane % 2] = a[(row + lane / 2) * eighths + k + lane % 2];
    if (lane < 16) tile_b[lane / 2][lane % 2] = b[(column + lane / 2) * eighths + k + lane % 2];
    __syncwarp();
    unsigned left[4], right[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3])
                 : "r"(shared_address(&tile_a[lane % 16][lane / 16])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(right[0]), "=r"(right[1])
                 : "r"(shared_address(&tile_b[lane % 8][lane / 8 % 2])));
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
    __syncwarp();
  }
  float* to = c + (row + lane / 4) * n + column + lane % 4 * 2;
  to[0] = sum[0];
  to[1] = sum[1];
  to[8 * n] = sum[2];
  to[8 * n + 1] = sum[3];
}
