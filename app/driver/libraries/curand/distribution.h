// Numbers of a distribution, from numbers of a generator's sequence. Test: tests/programs/random_test.py
#pragma once

#include "driver/libraries/curand/generator.h"

enum Distribution { kBits, kUniform, kUniformDouble, kNormal, kNormalDouble, kPoisson };

struct Recipe recipe_of(enum Distribution distribution, curandRngType_t type);

uint32_t bits_of(curandRngType_t type, const uint32_t* numbers);
/// Above 0, at most 1.
float uniform_of(curandRngType_t type, uint32_t number);
double uniform_double_of(curandRngType_t type, const uint32_t* numbers);

/// Two normal numbers by the method of Box and Muller: the sine first.
void make_normal_pair(curandRngType_t type, const uint32_t* numbers, float pair[2]);
void make_normal_pair_double(curandRngType_t type, const uint32_t* numbers, double pair[2]);

/// Returns the least k for which the sum of the probabilities of 0 to k reaches `uniform`. Not cuRAND's
/// method: the distribution is Poisson's, the numbers are others. `lambda`: at most kMostLambda.
uint32_t poisson_of(double lambda, double uniform);
enum { kMostLambda = 700 };  // the probability of 0 is then still a number
