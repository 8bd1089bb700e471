// What the toggles set: how many bins there are, which bin a number belongs to, and what it adds there.
#pragma once

#ifndef BINS
#define BINS 64
#endif
#ifndef INPUT
#define INPUT 0  // 0: evenly over the bins; 1: half of the numbers in bin 0; 2: runs of 32 numbers in one bin
#endif
#ifndef WEIGHTS
#define WEIGHTS 0  // 0: a number counts 1; 1: a number counts 1 to 4
#endif

// The bin of the i-th number.
__device__ inline int bin_of(unsigned number, int i) {
  if (INPUT == 1 && number % 2 == 0) return 0;
  if (INPUT == 2) return i / 32 % BINS;
  return number / 2 % BINS;
}

__device__ inline unsigned weight_of(unsigned number) { return WEIGHTS ? 1 + (number >> 30) : 1; }
