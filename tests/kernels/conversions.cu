// Conversions between the arithmetic types, also where the value does not fit: floats to integers saturate, NaN becomes 0.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void conversions(const unsigned* bits, long long* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, count = gridDim.x * blockDim.x;
  const float f = __uint_as_float(bits[i]);
  const double d = __hiloint2double(static_cast<int>(bits[i]), static_cast<int>(~bits[i]));
  const int n = static_cast<int>(bits[i]);
  out[i] = __float2int_rz(f);
  out[count + i] = __float2ull_rn(f);
  out[2 * count + i] = __double2ll_ru(d);
  out[3 * count + i] = __double2uint_rd(d);
  out[4 * count + i] = __float_as_int(__ll2float_rz((static_cast<long long>(n) << 24) + n));
  out[5 * count + i] = __float_as_int(__uint2float_ru(bits[i]));
  out[6 * count + i] = __double_as_longlong(__ll2double_rd((static_cast<long long>(n) << 31) - n));
  out[7 * count + i] = __half_as_ushort(__float2half_rn(f)) << 16 | __bfloat16_as_ushort(__float2bfloat16_rn(f));
  out[8 * count + i] = static_cast<signed char>(n) * static_cast<unsigned short>(bits[i] >> 8);
  out[9 * count + i] = __float_as_int(__double2float_rn(d));
  out[10 * count + i] = __half2ll_rn(__ushort_as_half(static_cast<unsigned short>(bits[i])));
}
