// What one access costs by the rules of a device: since compute capability 5.0 sectors and wavefronts
// (model/cost.h), before it transactions and passes (model/transactions.h, model/bank_rules.h).
// Tests: tests/unit/model/device_cost_test.cpp

#pragma once

#include "model/sectors.h"
#include "trace/totals.h"

#include <cstdint>

namespace lanescope::model {

/// What Cost::sectors and Cost::wavefronts count.
enum class CostUnits : uint8_t {
  Sectors,      // sectors and wavefronts
  Transactions  // transactions and passes of the banks
};
constexpr CostUnits units_of(int compute_capability) {
  return compute_capability < 50 ? CostUnits::Transactions : CostUnits::Sectors;
}

/// `sectors` are transactions and `wavefronts` passes where units_of() says so. The ideal of transactions are
/// the fewest of the largest size that hold the distinct useful bytes.
trace::Cost device_cost(const trace::WarpAccess& access, int compute_capability);

/// The transferred sectors of an access, and the transactions that transfer them.
SectorReport device_sectors(const trace::WarpAccess& access, int compute_capability);

}  // namespace lanescope::model
