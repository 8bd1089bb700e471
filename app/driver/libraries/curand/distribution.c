#include "driver/libraries/curand/distribution.h"

#include <math.h>

static const double kMrgUnit = 2.3283065498378288e-10;  // 1 / 4294967087, of the generator's largest number
static const float kUnit = 2.3283064e-10f;              // 2^-32
static const double kPi = 3.14159265358979323846;
static const float kTwoPi = 6.2831855f;

static bool is_mrg(curandRngType_t type) { return type == CURAND_RNG_PSEUDO_MRG32K3A; }

struct Recipe recipe_of(enum Distribution distribution, curandRngType_t type) {
  switch (distribution) {
    case kUniformDouble:
    case kPoisson:
      return (struct Recipe){is_mrg(type) ? 1 : 2, 1};
    case kNormal:
      return (struct Recipe){2, 2};
    case kNormalDouble:
      return (struct Recipe){is_mrg(type) ? 2 : 4, 2};
    default:
      return (struct Recipe){1, 1};
  }
}

uint32_t bits_of(curandRngType_t type, const uint32_t* numbers) {
  const double to_all_bits = 1.000000048662;  // from 4294967087 to 2^32 - 1
  return is_mrg(type) ? (uint32_t)(numbers[0] * to_all_bits) : numbers[0];
}

float uniform_of(curandRngType_t type, uint32_t number) {
  if (is_mrg(type)) return (float)(number * kMrgUnit);
  return (float)number * kUnit + kUnit / 2;
}

double uniform_double_of(curandRngType_t type, const uint32_t* numbers) {
  if (is_mrg(type)) return numbers[0] * kMrgUnit;
  const uint64_t bits = numbers[0] ^ (uint64_t)numbers[1] << (53 - 32);
  return (double)bits * 0x1p-53 + 0x1p-54;
}

void make_normal_pair(curandRngType_t type, const uint32_t* numbers, float pair[2]) {
  const float first = uniform_of(type, numbers[0]);
  const float angle = is_mrg(type) ? uniform_of(type, numbers[1]) * kTwoPi
                                   : (float)numbers[1] * (kUnit * kTwoPi) + kUnit * kTwoPi / 2;
  const float radius = sqrtf(-2 * logf(first));
  pair[0] = sinf(angle) * radius;
  pair[1] = cosf(angle) * radius;
}

void make_normal_pair_double(curandRngType_t type, const uint32_t* numbers, double pair[2]) {
  const double first = uniform_double_of(type, numbers);
  const double angle = 2 * uniform_double_of(type, numbers + (is_mrg(type) ? 1 : 2)) * kPi;
  const double radius = sqrt(-2 * log(first));
  pair[0] = sin(angle) * radius;
  pair[1] = cos(angle) * radius;
}

uint32_t poisson_of(double lambda, double uniform) {
  double term = exp(-lambda), sum = term;
  uint32_t k = 0;
  while (sum < uniform && term > 0) {
    term *= lambda / ++k;
    sum += term;
  }
  return k;
}
