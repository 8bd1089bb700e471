// The costs of accesses of one site by their pattern: most accesses of a grid repeat a few. Method: costs
// repeat after 128 bytes, so what decides is the lanes, the strides, and the base within such a piece. Tests:
// tests/unit/model/device_totals_test.cpp, tests/unit/model/block_costs_test.cpp

#pragma once

#include "trace/trace.h"

#include <string>
#include <unordered_map>

namespace lanescope::model {

class KnownCosts {
 public:
  /// `access` is the view of `stored`, which is in `block`. All accesses that it is asked about are of one
  /// site, and by the rules of one compute capability.
  trace::Cost cost_of(const trace::WarpAccess& access, const trace::StoredBlock& block,
                      const trace::StoredAccess& stored, int compute_capability);

 private:
  std::unordered_map<std::string, trace::Cost> known_;
  bool has_last_ = false;
  trace::StoredAccess last_;
  trace::Cost last_cost_;
};

}  // namespace lanescope::model
