// Counts distinct sectors, lines and words among 32 lane addresses: the cost of a gather with irregular
// addresses. Method: the keys are sorted by a bitonic network in AVX2 registers, two of them if 16 bits are
// enough for a key, else four; neighbors are compared, and all stays in registers. Words in few rows of banks
// are added up row by row. It takes about 20 ns, a table of 32 entries 100; a machine without AVX2 uses the
// table. Source of the network: K. E. Batcher, "Sorting networks and their applications", 1968. Source of its
// steps in two registers: H. S. Stone, "Parallel processing with the perfect shuffle", 1971. Tests:
// tests/unit/model/lane_keys_test.cpp

#pragma once

#include "base/ids.h"

#include <cstdint>
#include <optional>
#include <span>

namespace lanescope::model {

/// Whether this machine supports the functions below; calling them otherwise is an error.
bool can_sort_lanes();

/// [lane] in bytes; an inactive lane repeats the address of an active one.
using AllAddresses = std::span<const uint64_t, kLanes>;

/// Distinct pieces of memory that the lanes access. A piece is 2^shift bytes at a multiple of that.
struct DistinctPieces {
  int pieces = 0;
  int sectors = 0;
  int lines = 0;
};
/// `shift` is at most that of a sector. No value if an address is not a multiple of 2^shift, or too far from
/// the first.
std::optional<DistinctPieces> count_pieces(AllAddresses addresses, int shift);

/// The largest number of distinct 32-bit words of shared memory in one bank; addresses are below 2^32.
int count_words_in_bank(AllAddresses addresses);
/// The largest number of lanes in one bank, including lanes that access the same word.
int count_lanes_in_bank(AllAddresses addresses);

}  // namespace lanescope::model
