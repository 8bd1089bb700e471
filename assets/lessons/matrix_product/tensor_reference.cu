// The product with mma and nothing else: a warp computes 16 x 8 elements and reads its operands from global
// memory, element by element. mma rounds its sums in a way of its own, so the other kernels are compared with
// this one.
#include <cuda_fp16.h>

extern "C" __global__ void tensor_reference(const half* a, const half* b, half* c, int n) {
  const int lane = threadIdx.x;
  const int row = blockIdx.y * 16 + lane / 4, column = blockIdx.x * 8 + lane / 4;
  float sum[4] = {};
  for (int k = 0; k < n; k += 16) {
    half2 left[4], right[2];
    for (int i = 0; i < 4; ++i)
      left[i] = *reinterpret_cast<const half2*>(a + (row + i % 2 * 8) * n + k + i / 2 * 8 + lane % 4 * 2);
    for (int i = 0; i < 2; ++i) {
      const half* from = b + (k + i * 8 + lane % 4 * 2) * n + column;
      right[i] = __halves2half2(from[0], from[n]);
    }
    const unsigned* x = reinterpret_cast<const unsigned*>(left);
    const unsigned* y = reinterpret_cast<const unsigned*>(right);
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  }
  half* to = c + row * n + blockIdx.x * 8 + lane % 4 * 2;
  *reinterpret_cast<half2*>(to) = __floats2half2_rn(sum[0], sum[1]);
  *reinterpret_cast<half2*>(to + 8 * n) = __floats2half2_rn(sum[2], sum[3]);
}
