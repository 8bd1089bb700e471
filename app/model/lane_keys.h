// How many of the places that a warp's 32 lanes go to differ: what the counts of a gather come down to when
// its addresses follow no rule. Method: the numbers of the places are sorted by a bitonic network in four
// AVX2 registers, and neighbours are compared, all without a detour through memory. About 20 ns where a table
// of 32 entries takes 100; a machine without AVX2 takes the table. Source of the network: K. E. Batcher,
// "Sorting networks and their applications", 1968. Tests: tests/unit/model/lane_keys_test.cpp

#pragma once

#include "base/ids.h"

#include <cstdint>
#include <optional>
#include <span>

namespace lanescope::model {

/// Whether this machine can do what follows; calling it elsewhere is an error.
bool can_sort_lanes();

/// [lane] in bytes; a lane that sits out repeats the address of one that does not.
using AllAddresses = std::span<const uint64_t, kLanes>;

/// Pieces of memory that the lanes go to. A place is a piece of 2^shift bytes at a multiple of that.
struct DistinctPlaces {
  int places = 0;
  int sectors = 0;
  int lines = 0;
};
/// `shift` is at most that of a sector. Nothing where an address is no multiple of 2^shift, or too far from
/// the first.
std::optional<DistinctPlaces> count_places(AllAddresses addresses, int shift);

/// The most distinct 32-bit words of shared memory in one bank; addresses are below 2^34.
int count_words_in_bank(AllAddresses addresses);
/// The most lanes in one bank, also where they go to the same word.
int count_lanes_in_bank(AllAddresses addresses);

}  // namespace lanescope::model
