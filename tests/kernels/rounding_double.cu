// The four roundings of double arithmetic: to nearest, to zero, up, down.
extern "C" __global__ void rounding_double(const double* a, const double* b, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double x = a[i], y = b[i] + 0.1;
  double* to = out + i * 20;
  to[0] = __dadd_rn(x, y), to[1] = __dadd_rz(x, y), to[2] = __dadd_ru(x, y), to[3] = __dadd_rd(x, y);
  to[4] = __dmul_rn(x, y), to[5] = __dmul_rz(x, y), to[6] = __dmul_ru(x, y), to[7] = __dmul_rd(x, y);
  to[8] = __ddiv_rn(x, y), to[9] = __ddiv_rz(x, y), to[10] = __ddiv_ru(x, y), to[11] = __ddiv_rd(x, y);
  to[12] = __fma_rn(x, y, x), to[13] = __fma_rz(x, y, x), to[14] = __fma_ru(x, y, -x), to[15] = __fma_rd(x, y, -x);
  to[16] = __dsqrt_rn(y), to[17] = __dsqrt_ru(y), to[18] = __drcp_rn(y), to[19] = __drcp_rd(y);
}
