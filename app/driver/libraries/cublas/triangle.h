// Matrices of which one triangle is given: symmetric ones, and triangular ones with or without ones on the
// diagonal. Test: tests/cli/library_test.cpp
#pragma once

#include "driver/libraries/cublas/blas_call.h"

/// The whole symmetric matrix of which `triangle` is stored.
double* load_symmetric(struct BlasCall* blas, const struct Matrix* matrix, cublasFillMode_t triangle);

/// The triangular matrix or its transpose, with zeros in the other triangle.
double* load_triangular(struct BlasCall* blas, const struct Matrix* matrix, cublasFillMode_t triangle,
                        cublasOperation_t operation, cublasDiagType_t diagonal);

/// True if a triangular matrix is a lower one after the operation.
bool is_lower(cublasFillMode_t triangle, cublasOperation_t operation);

/// Solves t x = b in place, for each of `columns` columns of b. t: triangular, n x n.
void solve(const double* t, size_t n, bool t_is_lower, double* b, size_t columns);
