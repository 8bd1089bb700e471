#include "driver/libraries/curand/philox.h"

#include <string.h>

void philox(uint64_t seed, uint64_t subsequence, uint64_t block, uint32_t numbers[4]) {
  enum { kRounds = 10, kWordBits = 32 };
  uint32_t c[4] = {(uint32_t)block, (uint32_t)(block >> kWordBits), (uint32_t)subsequence,
                   (uint32_t)(subsequence >> kWordBits)};
  uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> kWordBits)};
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t first = UINT64_C(0xd2511f53) * c[0], second = UINT64_C(0xcd9e8d57) * c[2];
    const uint32_t next[4] = {(uint32_t)(second >> kWordBits) ^ c[1] ^ key[0], (uint32_t)second,
                              (uint32_t)(first >> kWordBits) ^ c[3] ^ key[1], (uint32_t)first};
    memcpy(c, next, sizeof c);
    key[0] += 0x9e3779b9u;
    key[1] += 0xbb67ae85u;
  }
  memcpy(numbers, c, sizeof c);
}
