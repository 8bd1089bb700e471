// The generator MRG32k3a: two linear recurrences of three numbers each. Its subsequences lie 2^76 numbers
// apart.
// Source: P. L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number
// generators", 1999; the way of a seed into the state as in NVIDIA's curand_kernel.h.
// Test: tests/programs/random_test.py
#pragma once

#include <stdint.h>

struct Mrg {
  uint32_t first[3], second[3];
};

struct Mrg seeded_mrg(uint64_t seed);

/// The next number, from 1 to 4294967087.
uint32_t next_of_mrg(struct Mrg* state);

void skip_mrg(struct Mrg* state, uint64_t count);

/// As make_subsequences() of xorwow.h.
void make_mrg_subsequences(struct Mrg first, struct Mrg* states, int count);
