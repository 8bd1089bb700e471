// Integer instructions that have no operator in C: reversed and counted bits, funnel shifts, permuted bytes, high products.
extern "C" __global__ void integer_intrinsics(const unsigned* a, const unsigned* b, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = a[i], y = b[i];
  const unsigned long long wide = static_cast<unsigned long long>(x) << 32 | y;
  unsigned* to = out + i * 24;
  to[0] = __brev(x);
  to[1] = __popc(x) + 100 * __popcll(wide);
  to[2] = __clz(x >> (y & 31)) + 100 * __clzll(wide >> (y & 63));
  to[3] = __ffs(x & y & 0xf0) + 100 * __ffsll(wide & ~0xffull);
  to[4] = __dp4a(static_cast<int>(x), static_cast<int>(y), 5);
  to[5] = __dp4a(x, y, 7u);
  to[6] = __dp2a_lo(static_cast<int>(x), static_cast<int>(y), -3);
  to[7] = __dp2a_hi(x, y, 11u);
  to[8] = __funnelshift_l(x, y, y & 63);
  to[9] = __funnelshift_rc(x, y, y & 63);
  to[10] = __byte_perm(x, y, y & 0xffff);
  to[11] = __umulhi(x, y);
  to[12] = static_cast<unsigned>(__mulhi(static_cast<int>(x), static_cast<int>(y)));
  to[13] = __umul24(x, y);
  to[14] = static_cast<unsigned>(__mul24(static_cast<int>(x), static_cast<int>(y)));
  to[15] = __usad(x, y, 9u);
  to[16] = static_cast<unsigned>(__sad(static_cast<int>(x), static_cast<int>(y), 9u));
  to[17] = __uhadd(x, y);
  to[18] = static_cast<unsigned>(__rhadd(static_cast<int>(x), static_cast<int>(y)));
  to[19] = static_cast<unsigned>(__umul64hi(wide, wide ^ y) >> 32);
  to[20] = static_cast<unsigned>(__brevll(wide));
  to[21] = static_cast<unsigned>(abs(static_cast<int>(x)) % (static_cast<int>(y >> 20) + 1));
  to[22] = static_cast<unsigned>(wide / (y | 1)) + static_cast<unsigned>(wide % (x | 1));
  to[23] = static_cast<unsigned>(static_cast<long long>(wide) / static_cast<int>(y | 1));
}
