// The counts of a trace under the names of Nsight Compute's metrics, to be compared with a profile line by
// line. Tests: tests/unit/export/ncu_table_test.cpp

#pragma once

#include "trace/hardware_counts.h"
#include "trace/trace.h"

#include <string>

namespace lanescope::exporting {

/// What the hardware would count, as far as it follows from addresses: requests and sectors of global and
/// local memory, wavefronts and bank conflicts of shared memory. No value for times, caches and DRAM.
trace::HardwareCounts counts_of(const trace::Trace& trace);

/// A line for each count, "metric value", aligned, with a head that says whose accesses are counted. `level`:
/// "PTX", "machine code".
std::string ncu_table(const trace::Trace& trace, std::string_view level);

}  // namespace lanescope::exporting
