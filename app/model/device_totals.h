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

/// Adds what the stored accesses cost by the rules of the device, which counts transactions. `totals`:
/// [site].
void add_stored(std::vector<trace::Totals>& totals, const trace::Trace& trace, int compute_capability);
/// The sums of add_stored() over all stored blocks of a launch, with what no addresses are stored of; absent
/// where not every access of the grid was stored. `trace` has the totals that the sums are held against.
std::optional<std::vector<trace::Totals>> exact_totals(std::vector<trace::Totals> sums,
                                                       const trace::Trace& trace);

}  // namespace lanescope::model
