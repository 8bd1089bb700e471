// Traffic classes: what an access counts as. Method: the kinds of accesses, with asynchronous copies apart.
// The H200 counts what cp.async reads from global memory among the loads, but not what it writes to shared
// memory among the stores; bulk copies are no requests of its load and store unit at all
// (tests/data/h200/counters.csv: async_copy, bulk_copy), nor is what wgmma reads. Tests:
// tests/unit/trace/traffic_test.cpp

#pragma once

#include "trace/trace.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace lanescope::trace {

enum class Traffic : uint8_t {
  Load,
  Store,
  Atomic,
  Reduction,
  AsyncCopy,   // cp.async: reads global memory, writes shared memory
  BulkLoad,    // what cp.async.bulk reads
  BulkStore,   // what it writes
  BulkReduce,  // what cp.reduce.async.bulk updates
  TensorLoad,  // what wgmma reads of shared memory
};

inline constexpr std::array kAllTraffic{Traffic::Load,      Traffic::Store,      Traffic::Atomic,
                                        Traffic::Reduction, Traffic::AsyncCopy,  Traffic::BulkLoad,
                                        Traffic::BulkStore, Traffic::BulkReduce, Traffic::TensorLoad};

/// "load", "async_copy", "bulk_load"
std::string_view name_of(Traffic traffic);

Traffic traffic_of(const Operation& operation);

/// Totals over all sites of this space in this class.
Totals total_of(const Trace& trace, Space space, Traffic traffic);
/// Totals over all sites of this space in this class, where `totals`, [site], replace those of the trace.
Totals total_of(const Trace& trace, const std::vector<Totals>& totals, Space space, Traffic traffic);

/// Load, Store, Atomic or Reduction: what an access does to the memory.
Kind direction_of(const Operation& operation);

}  // namespace lanescope::trace
