// The accesses of one warp in the order of its steps, each with its cost, and one of them with its position.
// Tests: tests/unit/pipeline/selection_test.cpp

#pragma once

#include "model/device_cost.h"
#include "trace/trace.h"

#include <cstdint>
#include <vector>

namespace lanescope::model {

/// One access of a warp and its position among the warp's stored accesses.
struct TracedAccess {
  const trace::Trace* trace = nullptr;  // never null when passed to a figure
  trace::WarpAccess access;             // borrows from the trace
  uint32_t index = 0, count = 0;        // of the warp's stored accesses
  std::string instruction = {};         // of the machine code, "LDS.128", that makes it; empty: not known
  uint32_t parts = 1;                   // accesses of the PTX that the instruction makes together
};

/// One access of the timeline.
struct TimelineEntry {
  trace::Operation operation;
  SiteId site;
  int line = 0;      // of the source
  trace::Cost cost;  // in CostUnits of the device
  LaneMask active;
};

/// [access] of the warp, as far as they are stored, by the rules of this compute capability.
std::vector<TimelineEntry> warp_timeline(const trace::Trace& trace, const trace::StoredBlock& block,
                                         WarpId warp, int compute_capability = 90);

}  // namespace lanescope::model
