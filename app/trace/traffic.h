// Traffic class of an access: load, store, atomic or reduction. An asynchronous copy loads from global memory
// and stores to shared memory; the H200 counts its fetch as a global load too (tests/data/h200/counters.csv:
// async_copy). Tests: tests/unit/trace/traffic_test.cpp

#pragma once

#include "trace/trace.h"

namespace lanescope::trace {

/// Load, Store, Atomic or Reduction; a copy from shared memory already has sites of these kinds.
Kind counted_as(const Operation& operation);

/// Totals over all sites of this space in this class, asynchronous copies included.
Totals traffic_of(const Trace& trace, Space space, Kind kind);

}  // namespace lanescope::trace
