// Product of dense matrices of doubles, by columns.
// Method: blocks that fit the caches, copied into panels of four rows or columns, so that a block of 4 x 4
// results stays in registers. Test: tests/cli/library_test.cpp
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Adds the product of a (m x k) and b (k x n) to c (m x n). False if the process has no memory for panels.
bool add_product(size_t m, size_t n, size_t k, const double* a, const double* b, double* c);

/// Sets y to the product of a (m x n) and x.
void multiply_vector(size_t m, size_t n, const double* a, const double* x, double* y);
