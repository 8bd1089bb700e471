// Numbers of all types that the libraries compute with, as doubles: a function loads its arguments, computes
// in double precision, and rounds once when it stores the result. So results of float and half are at least
// as near to the exact ones as a GPU's, and differ from a GPU's in their last bits.
// Test: tests/cli/library_test.cpp
#pragma once

#include <stddef.h>

/// Types, with the values of cudaDataType.
enum NumberType {
  kFloat = 0,
  kDouble = 1,
  kHalf = 2,
  kInt8 = 3,
  kInt32 = 10,
  kBfloat = 14,
};

/// Bytes of a number; 0 for a type that is not supported.
size_t size_of_number(int type);

/// Loads `count` numbers that lie `step` numbers apart, which may be negative.
void load_numbers(int type, const void* from, ptrdiff_t step, size_t count, double* to);

/// Stores `count` numbers `step` numbers apart, rounded to the nearest, ties to even.
void store_numbers(int type, const double* from, size_t count, void* to, ptrdiff_t step);

double load_number(int type, const void* from);
