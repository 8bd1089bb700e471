// Exact totals of the grid by the rules of an older device. Method: the stored accesses are counted again by
// device_cost(), each pattern once: costs repeat where addresses differ by a multiple of 128 bytes. Tests:
// tests/unit/model/device_totals_test.cpp

#pragma once

#include "model/device_cost.h"
#include "trace/trace.h"

#include <optional>
#include <vector>

namespace lanescope::model {

/// [site]; absent where units_of() are sectors, which Trace::totals has, and where not every access of the
/// grid was stored.
std::optional<std::vector<trace::Totals>> device_totals(const trace::Trace& trace, int compute_capability);

}  // namespace lanescope::model
