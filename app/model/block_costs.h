// What each block of a grid costs: which of them pay more than others. Method: the costs of a block's stored
// accesses are added; a block that is not stored has none that are known. Tests:
// tests/unit/model/block_costs_test.cpp

#pragma once

#include "model/device_cost.h"
#include "trace/trace.h"

#include <cstdint>
#include <vector>

namespace lanescope::model {

/// The costs of the accesses of one block, in CostUnits of the device.
struct BlockCost {
  CtaId cta;
  uint64_t requests = 0;
  uint64_t sectors = 0, ideal_sectors = 0;  // of global and local memory
  uint64_t wavefronts = 0, ideal_wavefronts = 0;
  bool operator==(const BlockCost&) const = default;
};

struct BlockCosts {
  CostUnits units = CostUnits::Sectors;
  std::vector<BlockCost> blocks;  // those that are stored, in rising order
};

BlockCosts block_costs(const trace::Trace& trace, int compute_capability = 90);

}  // namespace lanescope::model
