// As what an access counts where loads, stores, atomics and reductions are told apart: an asynchronous copy
// loads from global memory and stores to shared memory. The H200 counts its fetch among the global loads too
// (tests/data/h200/counters.csv: async_copy). Tests: tests/unit/trace/traffic_test.cpp

#pragma once

#include "trace/trace.h"

namespace lanescope::trace {

/// Load, Store, Atomic or Reduction; a copy out of shared memory has sites of these kinds already.
Kind counted_as(const Operation& operation);

/// Totals over all sites of this space that count as this kind, of which no asynchronous copy is left out.
Totals traffic_of(const Trace& trace, Space space, Kind kind);

}  // namespace lanescope::trace
