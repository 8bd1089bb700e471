// Plans of cuFFT: size, type and layout of transforms in up to three dimensions.
// Method: a plan is an entry of a table, whose number is its handle. Source: NVIDIA cuFFT documentation,
// "Data layout", "Advanced data layout". Test: tests/cli/library_test.cpp
#pragma once

#include "driver/libraries/include/cufft.h"

#include <stdbool.h>

enum { kMostRank = 3 };

/// Places of the elements of one side: element (x, y, z) of transform b is at
/// b distance + ((x embed[1] + y) embed[2] + z) stride.
struct FftLayout {
  size_t embed[kMostRank], stride, distance;
};

struct FftPlan {
  bool is_live, is_made;
  cufftType type;
  int number;                  // the type of its numbers, of number.h
  size_t n[kMostRank], batch;  // dimensions that it lacks are 1, and come first
  bool is_basic;               // the layouts are those without gaps
  struct FftLayout in, out;
  cudaStream_t stream;
};

/// Sets the type of the numbers of a plan that was made.
void set_number(cufftHandle handle, int number);

/// Sets `plan` to a copy of the plan of this handle. False if there is none.
bool find_plan(cufftHandle handle, struct FftPlan* plan);

/// True for a type whose numbers are of double precision.
bool is_double(cufftType type);

/// True if one side of the transform is real: its complex side has n / 2 + 1 elements in the last dimension.
bool is_real_to_complex(cufftType type);
bool is_complex_to_real(cufftType type);

/// Layout of real numbers in the place of the complex ones that they become or were, without gaps otherwise.
struct FftLayout padded_layout(const struct FftPlan* plan);
