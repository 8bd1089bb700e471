// The discrete Fourier transform of complex numbers, of any length, without a factor.
// Method: mixed radices, by decimation in time; a length with a prime factor above 61 by Bluestein's
// convolution. Source: J. Cooley, J. Tukey, "An algorithm for the machine calculation of complex Fourier
// series", 1965; L. Bluestein, "A linear filtering approach to the computation of the discrete Fourier
// transform", 1970. Test: tests/cli/library_test.cpp
#pragma once

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/// Tables and memory for transforms of one length and direction.
struct Transform {
  size_t length;
  double complex* roots;    // [length] exp(sign 2 pi i n / length)
  double complex* scratch;  // [length]
  struct Bluestein* other;  // null for a length without large prime factors
};

/// `sign`: of the exponent, -1 or 1. False if there is no memory; end_transform() frees what was made.
bool begin_transform(struct Transform* transform, size_t length, int sign);
void end_transform(struct Transform* transform);

/// Transforms `values` in place.
void run_transform(struct Transform* transform, double complex* values);
