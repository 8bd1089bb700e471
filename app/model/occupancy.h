// Warps that a multiprocessor holds at once, and what they would be with another size of the block, other
// shared memory or other registers. Method: residency_of() once for each; what a block takes otherwise stays
// as it is, so a larger block has the same shared memory. MODEL: as residency.h. Tests:
// tests/unit/model/occupancy_test.cpp

#pragma once

#include "model/residency.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::model {

/// Resident warps along one need of a block.
struct OccupancyCurve {
  std::vector<uint64_t> at;     // threads, registers of a thread or bytes of shared memory, rising
  std::vector<uint32_t> warps;  // [at] on a multiprocessor; 0: a block does not fit
};

/// The nearest value of one need at which more warps are resident.
struct WhatIf {
  uint64_t value = 0;
  uint32_t blocks = 0;  // on a multiprocessor
  uint32_t warps = 0;
};

struct Occupancy {
  BlockNeeds needs;
  Residency residency;
  uint32_t warps = 0;  // resident
  uint32_t most_warps = 0;
  OccupancyCurve by_threads, by_registers, by_shared_bytes;
  // Nothing: no value below, or no other size of the block, leads to more warps.
  std::optional<WhatIf> fewer_registers, less_shared, other_threads;
};

Occupancy occupancy_of(const trace::Trace& trace, const Device& device);

}  // namespace lanescope::model
