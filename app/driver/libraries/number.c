#include "driver/libraries/number.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

size_t size_of_number(int type) {
  switch (type) {
    case kFloat:
    case kInt32:
      return 4;
    case kDouble:
      return 8;
    case kHalf:
    case kBfloat:
      return 2;
    case kInt8:
      return 1;
    default:
      return 0;
  }
}

static double of_half(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = bits >> 15 ? -1.0 : 1.0;
  if (exponent == 31) return fraction ? NAN : sign * INFINITY;
  return sign * (exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25));
}

static double of_bfloat(uint16_t bits) {
  const uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof value);
  return value;
}

/// Bits of a number of 16 bits with `digits` bits of fraction and a smallest normal exponent of `least`.
static uint16_t to_short(double value, int digits, int least) {
  const uint16_t sign = signbit(value) ? 0x8000 : 0;
  const uint16_t infinity = (uint16_t)(0x7fff >> digits << digits);
  int exponent;
  if (isnan(value)) return infinity | 1u << (digits - 1);
  value = fabs(value);
  if (value == 0) return sign;
  if (isinf(value)) return sign | infinity;
  (void)frexp(value, &exponent);  // value is in [2^(exponent - 1), 2^exponent)
  const int unit = (exponent - 1 < least ? least : exponent - 1) - digits;
  const double steps = rint(ldexp(value, -unit));  // of the last digit
  // The bits of a subnormal number are `steps`. A carry into the exponent gives the right bits too.
  const double bits = steps + ldexp(unit + digits - least, digits);
  return sign | (bits >= infinity ? infinity : (uint16_t)bits);
}

static uint16_t to_half(double value) { return to_short(value, 10, -14); }
static uint16_t to_bfloat(double value) { return to_short(value, 7, -126); }

/// The nearest integer that the type has.
static double within(double value, double least, double most) {
  return value < least ? least : value > most ? most : rint(value);
}

#define LOAD(type, value)                                           \
  {                                                                 \
    const type* each = from;                                        \
    for (size_t n = 0; n < count; ++n, each += step) to[n] = value; \
    return;                                                         \
  }

void load_numbers(int type, const void* from, ptrdiff_t step, size_t count, double* to) {
  switch (type) {
    case kFloat:
      LOAD(float, *each)
    case kDouble:
      LOAD(double, *each)
    case kHalf:
      LOAD(uint16_t, of_half(*each))
    case kBfloat:
      LOAD(uint16_t, of_bfloat(*each))
    case kInt8:
      LOAD(int8_t, *each)
    case kInt32:
      LOAD(int32_t, *each)
    default:
      return;
  }
}

#define STORE(type, value)                                                  \
  {                                                                         \
    type* each = to;                                                        \
    for (size_t n = 0; n < count; ++n, each += step) *each = (type)(value); \
    return;                                                                 \
  }

void store_numbers(int type, const double* from, size_t count, void* to, ptrdiff_t step) {
  switch (type) {
    case kFloat:
      STORE(float, from[n])
    case kDouble:
      STORE(double, from[n])
    case kHalf:
      STORE(uint16_t, to_half(from[n]))
    case kBfloat:
      STORE(uint16_t, to_bfloat(from[n]))
    case kInt8:
      STORE(int8_t, within(from[n], INT8_MIN, INT8_MAX))
    case kInt32:
      STORE(int32_t, within(from[n], INT32_MIN, INT32_MAX))
    default:
      return;
  }
}

double load_number(int type, const void* from) {
  double value = 0;
  load_numbers(type, from, 1, 1, &value);
  return value;
}
