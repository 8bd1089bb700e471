#include "driver/libraries/curand/mrg.h"

#include <string.h>

enum { kOrder = 3, kSubsequence = 76 /* the logarithm of its length */ };
static const uint64_t kFirst = 4294967087u, kSecond = 4294944443u;  // the moduli

struct Mrg seeded_mrg(uint64_t seed) {
  const uint64_t start = 12345;
  struct Mrg state = {{12345, 12345, 12345}, {12345, 12345, 12345}};
  if (seed == 0) return state;
  const uint64_t low = (uint32_t)seed ^ 0x55555555u, high = (uint32_t)(seed >> 32) ^ 0xaaaaaaaau;
  for (int n = 0; n < kOrder; ++n) {
    state.first[n] = (uint32_t)((n == 1 ? high : low) * start % kFirst);
    state.second[n] = (uint32_t)((n == 1 ? low : high) * start % kSecond);
  }
  return state;
}

uint32_t next_of_mrg(struct Mrg* state) {
  uint32_t* s = state->first;
  uint32_t* t = state->second;
  const uint64_t first = (UINT64_C(1403580) * s[1] + 810728 * (kFirst - s[0])) % kFirst;
  const uint64_t second = (UINT64_C(527612) * t[2] + 1370589 * (kSecond - t[0])) % kSecond;
  s[0] = s[1], s[1] = s[2], s[2] = (uint32_t)first;
  t[0] = t[1], t[1] = t[2], t[2] = (uint32_t)second;
  return (uint32_t)(first > second ? first - second : first + kFirst - second);
}

struct ModularMatrix {
  uint32_t at[kOrder][kOrder];
};

static void multiply(const struct ModularMatrix* a, const uint32_t v[kOrder], uint64_t modulus,
                     uint32_t product[kOrder]) {
  for (int row = 0; row < kOrder; ++row) {
    uint64_t sum = 0;
    for (int n = 0; n < kOrder; ++n) sum = (sum + (uint64_t)a->at[row][n] * v[n] % modulus) % modulus;
    product[row] = (uint32_t)sum;
  }
}

static void square(struct ModularMatrix* a, uint64_t modulus) {
  struct ModularMatrix result;
  for (int column = 0; column < kOrder; ++column) {
    const uint32_t v[kOrder] = {a->at[0][column], a->at[1][column], a->at[2][column]};
    uint32_t product[kOrder];
    multiply(a, v, modulus, product);
    for (int row = 0; row < kOrder; ++row) result.at[row][column] = product[row];
  }
  *a = result;
}

static struct ModularMatrix first_step(void) {
  return (struct ModularMatrix){{{0, 1, 0}, {0, 0, 1}, {(uint32_t)kFirst - 810728, 1403580, 0}}};
}

static struct ModularMatrix second_step(void) {
  return (struct ModularMatrix){{{0, 1, 0}, {0, 0, 1}, {(uint32_t)kSecond - 1370589, 0, 527612}}};
}

static void apply(const struct ModularMatrix* matrix, uint64_t modulus, uint32_t v[kOrder]) {
  uint32_t product[kOrder];
  multiply(matrix, v, modulus, product);
  memcpy(v, product, sizeof product);
}

void skip_mrg(struct Mrg* state, uint64_t count) {
  struct ModularMatrix first = first_step(), second = second_step();
  for (; count > 0; count >>= 1) {
    if (count & 1) {
      apply(&first, kFirst, state->first);
      apply(&second, kSecond, state->second);
    }
    square(&first, kFirst);
    square(&second, kSecond);
  }
}

void make_mrg_subsequences(struct Mrg first, struct Mrg* states, int count) {
  struct ModularMatrix a = first_step(), b = second_step();
  for (int n = 0; n < kSubsequence; ++n) {
    square(&a, kFirst);
    square(&b, kSecond);
  }
  for (int n = 0; n < count; ++n) {
    states[n] = first;
    apply(&a, kFirst, first.first);
    apply(&b, kSecond, first.second);
  }
}
