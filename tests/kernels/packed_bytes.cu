// Four bytes or two halves of a word at once: differences, averages, saturated sums, comparisons as masks.
extern "C" __global__ void packed_bytes(const unsigned* a, const unsigned* b, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned x = a[i], y = b[i];
  unsigned* to = out + i * 16;
  to[0] = __vabsdiffu4(x, y);
  to[1] = __vabsdiffs4(x, y);
  to[2] = __vadd4(x, y);
  to[3] = __vaddus4(x, y);
  to[4] = __vsubss4(x, y);
  to[5] = __vavgu4(x, y);
  to[6] = __vmaxu4(x, y);
  to[7] = __vmins4(x, y);
  to[8] = __vcmpgtu4(x, y);
  to[9] = __vseteq4(x & 0x03030303u, y & 0x03030303u);
  to[10] = __vsadu4(x, y);
  to[11] = __vadd2(x, y);
  to[12] = __vabsdiffs2(x, y);
  to[13] = __vmaxs2(x, y);
  to[14] = __vminu2(x, y);
  to[15] = __viaddmax_s32(static_cast<int>(x), static_cast<int>(y), 77) ^ __vimax3_u32(x, y, 1u << 30);
}
