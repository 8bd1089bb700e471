#include "driver/libraries/cufft/transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { kLargestFactor = 61 };
static const double kPi = 3.14159265358979323846;

/// A transform of a length n as a convolution of a power of two of at least 2 n - 1.
struct Bluestein {
  struct Transform forward, backward;
  double complex* chirp;   // [length] exp(sign pi i n^2 / length)
  double complex* filter;  // [forward.length] transform of the chirp's inverse
  double complex* work;    // [forward.length]
};

static size_t smallest_factor(size_t n) {
  for (size_t factor = 2; factor * factor <= n; ++factor)
    if (n % factor == 0) return factor;
  return n;
}

static size_t largest_factor(size_t n) {
  size_t factor = 1;
  while (n > 1) {
    factor = smallest_factor(n);
    n /= factor;
  }
  return factor;
}

/// exp(sign pi i n^2 / length); the square is taken modulo twice the length, which the period is.
static double complex chirp_of(size_t n, size_t length, int sign) {
  const size_t square = (size_t)((unsigned __int128)n * n % (2 * length));
  return cexp(sign * I * kPi * (double)square / (double)length);
}

static bool begin_bluestein(struct Bluestein* made, size_t length, int sign) {
  size_t wide = 1;
  while (wide < 2 * length - 1) wide *= 2;
  made->chirp = calloc(length, sizeof *made->chirp);
  made->filter = calloc(wide, sizeof *made->filter);
  made->work = calloc(wide, sizeof *made->work);
  if (!begin_transform(&made->forward, wide, -1) || !begin_transform(&made->backward, wide, 1) ||
      !made->chirp || !made->filter || !made->work)
    return false;
  for (size_t n = 0; n < length; ++n) {
    made->chirp[n] = chirp_of(n, length, sign);
    made->filter[n] = made->filter[n == 0 ? 0 : wide - n] = conj(made->chirp[n]);
  }
  run_transform(&made->forward, made->filter);
  return true;
}

bool begin_transform(struct Transform* transform, size_t length, int sign) {
  memset(transform, 0, sizeof *transform);
  transform->length = length;
  if (largest_factor(length) > kLargestFactor) {
    transform->other = calloc(1, sizeof *transform->other);
    return transform->other && begin_bluestein(transform->other, length, sign);
  }
  transform->roots = malloc(length * sizeof *transform->roots);
  transform->scratch = malloc(length * sizeof *transform->scratch);
  if (!transform->roots || !transform->scratch) return false;
  for (size_t n = 0; n < length; ++n)
    transform->roots[n] = cexp(sign * 2 * I * kPi * (double)n / (double)length);
  return true;
}

void end_transform(struct Transform* transform) {
  struct Bluestein* other = transform->other;
  if (other) {
    end_transform(&other->forward);
    end_transform(&other->backward);
    free(other->chirp);
    free(other->filter);
    free(other->work);
    free(other);
  }
  free(transform->roots);
  free(transform->scratch);
  memset(transform, 0, sizeof *transform);
}

/// Combines `factor` transforms of `part` numbers each, one after another in `out`, to one of factor x part.
/// `step`: from root to root of the longer transform.
static void combine(const struct Transform* transform, size_t factor, size_t part, size_t step,
                    double complex* out) {
  const double complex* roots = transform->roots;
  double complex terms[kLargestFactor];
  for (size_t k = 0; k < part; ++k) {
    for (size_t q = 0; q < factor; ++q) terms[q] = out[q * part + k] * roots[q * k * step];
    if (factor == 2) {
      out[k] = terms[0] + terms[1];
      out[part + k] = terms[0] - terms[1];
      continue;
    }
    for (size_t r = 0; r < factor; ++r) {
      double complex sum = terms[0];
      for (size_t q = 1; q < factor; ++q) sum += terms[q] * roots[q * r % factor * part * step];
      out[r * part + k] = sum;
    }
  }
}

/// Transforms `length` numbers that lie `stride` apart. transform->length is length times `stride`.
static void decimate(const struct Transform* transform, size_t length, size_t stride,
                     const double complex* in, double complex* out) {
  if (length == 1) {
    out[0] = in[0];
    return;
  }
  const size_t factor = length % 4 == 0 ? 4 : smallest_factor(length), part = length / factor;
  for (size_t q = 0; q < factor; ++q)
    decimate(transform, part, stride * factor, in + q * stride, out + q * part);
  combine(transform, factor, part, stride, out);
}

static void run_bluestein(struct Bluestein* other, size_t length, double complex* values) {
  const size_t wide = other->forward.length;
  memset(other->work, 0, wide * sizeof *other->work);
  for (size_t n = 0; n < length; ++n) other->work[n] = values[n] * other->chirp[n];
  run_transform(&other->forward, other->work);
  for (size_t n = 0; n < wide; ++n) other->work[n] *= other->filter[n];
  run_transform(&other->backward, other->work);
  for (size_t n = 0; n < length; ++n) values[n] = other->work[n] * other->chirp[n] / (double)wide;
}

void run_transform(struct Transform* transform, double complex* values) {
  if (transform->other) {
    run_bluestein(transform->other, transform->length, values);
    return;
  }
  memcpy(transform->scratch, values, transform->length * sizeof *values);
  decimate(transform, transform->length, 1, transform->scratch, values);
}
