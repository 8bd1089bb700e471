#include "driver/libraries/curand/xorwow.h"

#include <string.h>

enum { kWords = 5, kBits = 160, kWordBits = 32, kSubsequence = 67 /* the logarithm of its length */ };
static const uint32_t kCounterStep = 362437;

struct Xorwow seeded_xorwow(uint64_t seed) {
  const uint32_t low = 1099087573u * ((uint32_t)seed ^ 0xaad26b49u);
  const uint32_t high = 2591861531u * ((uint32_t)(seed >> kWordBits) ^ 0xf7dcefddu);
  return (struct Xorwow){
      {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low},
      6615241u + high + low};
}

uint32_t next_of_xorwow(struct Xorwow* state) {
  uint32_t* v = state->v;
  const uint32_t first = v[0] ^ v[0] >> 2, last = v[4];
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = last;
  v[4] = last ^ last << 4 ^ first ^ first << 1;
  state->counter += kCounterStep;
  return v[4] + state->counter;
}

/// Row n: the state that a state with bit n alone becomes.
struct BitMatrix {
  uint32_t row[kBits][kWords];
};

static void multiply_state(const struct BitMatrix* matrix, uint32_t v[kWords]) {
  uint32_t product[kWords] = {0};
  for (int n = 0; n < kBits; ++n) {
    const uint32_t mask = -(v[n / kWordBits] >> n % kWordBits & 1u);
    for (int word = 0; word < kWords; ++word) product[word] ^= matrix->row[n][word] & mask;
  }
  memcpy(v, product, sizeof product);
}

static void make_step(struct BitMatrix* matrix) {
  for (int n = 0; n < kBits; ++n) {
    struct Xorwow state = {{0}, 0};
    state.v[n / kWordBits] = 1u << n % kWordBits;
    (void)next_of_xorwow(&state);
    memcpy(matrix->row[n], state.v, sizeof state.v);
  }
}

static void square(struct BitMatrix* matrix) {
  struct BitMatrix result = *matrix;
  for (int n = 0; n < kBits; ++n) multiply_state(matrix, result.row[n]);
  *matrix = result;
}

void skip_xorwow(struct Xorwow* state, uint64_t count) {
  struct BitMatrix power;
  state->counter += kCounterStep * (uint32_t)count;
  make_step(&power);
  for (; count > 0; count >>= 1) {
    if (count & 1) multiply_state(&power, state->v);
    if (count > 1) square(&power);
  }
}

void make_subsequences(struct Xorwow first, struct Xorwow* states, int count) {
  struct BitMatrix power;
  make_step(&power);
  for (int n = 0; n < kSubsequence; ++n) square(&power);
  // The counter of a subsequence is the first one's: 2^67 steps are a multiple of its period of 2^32.
  for (int n = 0; n < count; ++n) {
    states[n] = first;
    multiply_state(&power, first.v);
  }
}
