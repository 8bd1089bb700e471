// Which slice of an H200's L2 cache serves an address: a formula fitted to measurements of one GPU.
// It holds for the first 16 MiB of one buffer. Another buffer has another physical address, so other slices.
#pragma once

constexpr int SLICES = 47;  // that one multiprocessor reads from, in its half of the L2

constexpr unsigned PHYSICAL_BASE = 29360128;  // of the buffer, as far as the formula needs it
constexpr unsigned HOME_MASK = 1030402048;

__constant__ const unsigned NUMBER_MASKS[6] = {1157179392, 1783578624, 532521984,
                                               1700073728, 1575953408, 304498688};
__constant__ const unsigned char SLICE_TABLE[2][SLICES] = {
    {30, 27, 0,  9,  36, 32, 6,  14, 17, 23, 1,  8,  35, 33, 26, 7,  18, 46, 43, 38, 28, 22, 15, 11,
     2,  44, 45, 29, 31, 21, 16, 10, 3,  4,  13, 19, 25, 42, 39, 37, 34, 5,  12, 20, 24, 41, 40},
    {27, 30, 9,  0,  32, 36, 14, 6, 23, 17, 8, 1,  33, 35, 26, 7,  18, 46, 43, 38, 28, 15, 22, 2,
     11, 45, 44, 31, 29, 16, 21, 3, 10, 13, 4, 25, 19, 39, 42, 34, 37, 12, 5,  24, 20, 40, 41}};

// The slice of the byte at `offset`: XORs of address bits, then a remainder of 47.
__device__ inline int h200_slice_of(unsigned offset) {
  const unsigned address = PHYSICAL_BASE + offset;
  unsigned number = 0b010001;
  for (int bit = 0; bit < 6; ++bit) number ^= (__popc(address & NUMBER_MASKS[bit]) & 1) << bit;
  const int home = (__popc(address & HOME_MASK) & 1) ^ 1;
  return SLICE_TABLE[home][(64 * (address >> 17) + number + 46) % SLICES];
}
