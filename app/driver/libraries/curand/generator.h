// A generator of cuRAND's host functions: which numbers of its sequence a result is made of.
// Method: XORWOW and MRG32k3a have 4096 subsequences; result n takes numbers of subsequence n mod 4096, each
// of which goes on where it was. With Philox result n is a function of its place: four results in a row are
// of one subsequence, of which there are 65536. A pair of results of a normal distribution is of one
// subsequence. Source: NVIDIA cuRAND guide, "Order", for XORWOW and MRG32k3a; for Philox, pairs and doubles
// the numbers that cuRAND 10.4 generates on a processor (curandCreateGeneratorHost), which are those of a GPU
// by the guide. Test: tests/programs/random_test.py
#pragma once

#include "driver/libraries/curand/mrg.h"
#include "driver/libraries/curand/xorwow.h"
#include "driver/libraries/include/curand.h"

#include <stdbool.h>

enum { kXorwowSubsequences = 4096, kMrgSubsequences = 81920, kLiveGenerator = 0x6372616e };

struct curandGenerator_st {
  uint32_t mark;  // kLiveGenerator, until it is destroyed
  curandRngType_t type;
  bool is_of_host;  // its results are in the host's memory
  cudaStream_t stream;
  uint64_t seed;
  uint64_t place;  // of the next result in the sequence
  bool is_ready;   // the states are those of seed and place
  int next;        // subsequence of the next result; not of Philox
  bool has_block;  // of Philox: the last block of numbers, and where it is
  uint64_t subsequence, block;
  uint32_t numbers[4];
  union {
    struct Xorwow xorwow[kXorwowSubsequences];
    struct Mrg mrg[kMrgSubsequences];
  } states;
};

/// The results of a function: `numbers` of the sequence make `results`.
struct Recipe {
  int numbers, results;
};

bool is_philox(const struct curandGenerator_st* generator);

/// Makes the states, if they are not ready.
void prepare(curandGenerator_t generator);

/// Takes the numbers for the result at the generator's place, or for the pair that begins there. Of Philox
/// they are a function of the place, and a pair is that which the result is of; else the next call takes
/// those of the next subsequence. The caller moves the place.
void take_numbers(curandGenerator_t generator, struct Recipe recipe, uint32_t* numbers);
