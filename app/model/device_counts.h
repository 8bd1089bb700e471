// The cost of a trace's stored accesses in the units of a device: half-warps and segments of the G80 and
// GT200, lines of Fermi, passes of 16 or 32 banks. Tests: tests/unit/model/device_counts_test.cpp

#pragma once

#include "model/bank_rules.h"
#include "model/device.h"
#include "model/transactions.h"
#include "trace/trace.h"

#include <cstdint>

namespace lanescope::model {

struct DeviceCounts {
  TransactionTotals global_load, global_store, global_atomic;  // atomics with and without result
  struct Shared {
    uint64_t requests = 0, passes = 0, ideal_passes = 0;
  } shared_load, shared_store, shared_atomic;
  uint64_t blocks = 0;  // whose accesses were stored and counted
};

/// Calls f(name, counts) for each kind of access: "global_load" with TransactionTotals, "shared_load" with
/// DeviceCounts::Shared.
template <class F>
void for_each_kind(const DeviceCounts& counts, const F& f) {
  f("global_load", counts.global_load);
  f("global_store", counts.global_store);
  f("global_atomic", counts.global_atomic);
  f("shared_load", counts.shared_load);
  f("shared_store", counts.shared_store);
  f("shared_atomic", counts.shared_atomic);
}

DeviceCounts count_for_device(const trace::Trace& trace, const Device& device);

}  // namespace lanescope::model
