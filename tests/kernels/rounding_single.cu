// The four roundings of single precision, and conversions that round: to integers, to half, from double.
#include <cuda_fp16.h>

extern "C" __global__ void rounding_single(const float* a, const float* b, float* out, int* whole) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = a[i] * 1000.0f - 400.0f, y = b[i] + 0.1f;
  float* to = out + i * 20;
  to[0] = __fadd_rn(x, y), to[1] = __fadd_rz(x, y), to[2] = __fadd_ru(x, y), to[3] = __fadd_rd(x, y);
  to[4] = __fmul_rn(x, y), to[5] = __fmul_rz(x, y), to[6] = __fmul_ru(x, y), to[7] = __fmul_rd(x, y);
  to[8] = __fdiv_rn(x, y), to[9] = __fdiv_rz(x, y), to[10] = __fdiv_ru(x, y), to[11] = __fdiv_rd(x, y);
  to[12] = __fmaf_rn(x, y, y), to[13] = __fmaf_rz(x, y, y), to[14] = __fsqrt_rn(y), to[15] = __fsqrt_rz(y);
  to[16] = __frcp_rn(x), to[17] = __frcp_ru(x), to[18] = __half2float(__float2half_rz(x));
  to[19] = static_cast<float>(__double2float_rd(static_cast<double>(x) * y));
  int* n = whole + i * 8;
  n[0] = __float2int_rn(x), n[1] = __float2int_rz(x), n[2] = __float2int_ru(x), n[3] = __float2int_rd(x);
  n[4] = static_cast<int>(rintf(x)), n[5] = static_cast<int>(roundf(x)), n[6] = static_cast<int>(truncf(x) + ceilf(y));
  n[7] = static_cast<int>(__float2uint_rn(x)) + static_cast<int>(__float2ll_rn(x * 1e6f));
}
