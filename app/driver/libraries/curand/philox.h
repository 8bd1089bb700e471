// The generator Philox4x32-10: a function of a seed and a counter, four numbers at once.
// Source: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11, 2011.
// Test: tests/programs/random_test.py
#pragma once

#include <stdint.h>

/// Numbers 4 block to 4 block + 3 of subsequence `subsequence`, which are 2^66 numbers apart.
void philox(uint64_t seed, uint64_t subsequence, uint64_t block, uint32_t numbers[4]);
