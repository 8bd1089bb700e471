// Matrix product of bytes by mma.sync m16n8k32, fragments loaded straight from global memory; B is stored by columns.
extern "C" __global__ void matmul_mma_int8(const int* a, const int* b, int* c, int n) {
  const int lane = threadIdx.x, group = lane / 4, in_group = lane % 4, words = n / 4;
  const int row = blockIdx.y * 16 + group, column = blockIdx.x * 8;
  int sum[4] = {};
  for (int k = 0; k < words; k += 8) {
    const int left[4] = {a[row * words + k + in_group], a[(row + 8) * words + k + in_group],
                         a[row * words + k + 4 + in_group], a[(row + 8) * words + k + 4 + in_group]};
    const int right[2] = {b[(column + group) * words + k + in_group], b[(column + group) * words + k + 4 + in_group]};
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
  }
  int* to = c + row * n + column + in_group * 2;
  to[0] = sum[0];
  to[1] = sum[1];
  to[8 * n] = sum[2];
  to[8 * n + 1] = sum[3];
}
