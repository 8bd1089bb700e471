// The generator XORWOW as cuRAND has it: its step, its seeds, and its subsequences, which lie 2^67 numbers
// apart.
// Method: a step is linear in the 160 bits of the state but for the counter. Skipping multiplies the state by
// a power of the step's matrix, which repeated squaring gives.
// Source: G. Marsaglia, "Xorshift RNGs", 2003; NVIDIA cuRAND guide, "Bit Generation with XORWOW"; the salt of
// seeds as in NVIDIA's curand_kernel.h. Test: tests/programs/random_test.py
#pragma once

#include <stdint.h>

struct Xorwow {
  uint32_t v[5], counter;
};

struct Xorwow seeded_xorwow(uint64_t seed);

uint32_t next_of_xorwow(struct Xorwow* state);

/// Skips `count` numbers.
void skip_xorwow(struct Xorwow* state, uint64_t count);

/// Sets `states` to the beginnings of subsequences 0 to count - 1 of the generator whose first is `first`.
void make_subsequences(struct Xorwow first, struct Xorwow* states, int count);
