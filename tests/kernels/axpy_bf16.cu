// y = a x + y in bfloat16, one at a time and in pairs: eight bits of mantissa, so rounding is seen at once.
#include <cuda_bf16.h>

extern "C" __global__ void axpy_bf16(const __nv_bfloat162* x, __nv_bfloat162* y, float* sums, float a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __nv_bfloat162 factor = __float2bfloat162_rn(a);
  const __nv_bfloat162 result = __hfma2(factor, x[i], y[i]);
  const __nv_bfloat16 least = __hmin(__low2bfloat16(result), __high2bfloat16(x[i]));
  y[i] = __hsub2(result, __hmul2(x[i], x[i]));
  sums[i] = __bfloat162float(least) + __bfloat162float(__float2bfloat16_rz(a * i)) + __bfloat162float(__hadd(least, least));
}
