// The counts of a trace under the names of Nsight Compute's metrics, to be compared with a profile line by
// line. Tests: tests/unit/export/ncu_table_test.cpp

#pragma once

#include "trace/hardware_counts.h"
#include "trace/trace.h"
#include "trace/traffic.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::exporting {

/// A count that follows from addresses: a sum over the sites of one space and some classes.
struct CountedTraffic {
  trace::HardwareCount count;
  trace::Space space;
  std::vector<trace::Traffic> classes;
  uint64_t trace::Totals::* total;
  /// True if accesses of this kind are in the sum.
  bool has(const trace::Operation& operation) const;
};

/// Requests and sectors of global and local memory, wavefronts of shared memory, in the order of
/// hardware_counts.def. No row for times, caches and DRAM.
std::span<const CountedTraffic> counted_traffic();

/// What the hardware would count; absent: what counted_traffic() lacks. `totals`: [site].
trace::HardwareCounts counts_of(const trace::Trace& trace, const std::vector<trace::Totals>& totals);
trace::HardwareCounts counts_of(const trace::Trace& trace);

/// A line for each count, "metric value", aligned, with a head that says whose accesses are counted. `level`:
/// "PTX", "machine code".
std::string ncu_table(const trace::Trace& trace, std::string_view level);

}  // namespace lanescope::exporting
