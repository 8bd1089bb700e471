// How many of a warp's 32 numbers differ: what the counts of a gather come down to when its addresses follow
// no rule. Method: the numbers are sorted by a bitonic network in four AVX2 registers, and neighbours are
// compared. About 30 ns where a table of 32 entries takes 100; a machine without AVX2 takes the table. Source
// of the network: K. E. Batcher, "Sorting networks and their applications", 1968. Tests:
// tests/unit/model/lane_keys_test.cpp

#pragma once

#include "base/ids.h"

#include <array>
#include <cstdint>

namespace lanescope::model {

/// [lane]; a lane that sits out repeats the number of one that does not.
using LaneKeys = std::array<uint32_t, kLanes>;

/// Whether this machine can do what follows; calling it elsewhere is an error.
bool can_compare_lane_keys();

/// Keys of 32 addresses: how many times 2^shift each is behind `origin`, a multiple of it. False if one is no
/// whole number or takes more than 32 bits.
bool make_keys(const std::array<uint64_t, kLanes>& addresses, uint64_t origin, int shift, LaneKeys& keys);

struct DistinctKeys {
  int keys = 0;
  int by_first = 0;   // of the numbers without their `first_shift` lowest bits
  int by_second = 0;  // the same for `second_shift`
};
DistinctKeys count_distinct(const LaneKeys& keys, int first_shift, int second_shift);

/// Bits above these name a key's column.
inline constexpr int kColumnShift = 27;
/// The most distinct keys in one column.
int count_distinct_in_column(const LaneKeys& keys);
/// The most keys in one column, equal ones counted each.
int count_in_column(const LaneKeys& keys);

}  // namespace lanescope::model
