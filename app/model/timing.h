// The time of a kernel's memory traffic on a GT200: an event-driven model, driven by the trace. Method:
// blocks start in order, one cluster after the other, as many as fit. Each warp steps through its accesses;
// an access becomes transactions (model/transactions.h) that queue at the cluster's port, then at the
// partition of their address (model/partition_queue.h). Every part is an assumption with a name and a switch
// (model/timing_parameters.h). MODEL: NVIDIA publishes the partitions, the clocks of the memory and the
// paper's table, but not the network between them. Source of the predicted values: NVIDIA, "Optimizing
// Matrix Transpose in CUDA", 2010. Tests: tests/unit/model/timing_test.cpp, tests/cli/model_test.cpp

#pragma once

#include "base/error.h"
#include "model/access_gaps.h"
#include "model/device.h"
#include "model/timing_parameters.h"
#include "model/traffic_windows.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace lanescope::model {

struct TimingOptions {
  Assumptions assumptions = {};
  /// Blocks start up to 200 ns late, at random: shows how much of the result is chance.
  std::optional<uint64_t> jitter_seed = std::nullopt;
  double window_seconds = 2e-6;
  AccessGaps gaps = {};         // what warps execute between accesses; without sites, the same before each
  double division_cost = 1;     // times the device's division_instructions, which is an estimate
  uint64_t counted_blocks = 0;  // that the trace's totals cover; 0: the whole grid
  bool operator==(const TimingOptions&) const = default;
};

struct PartitionTiming {
  uint64_t reads = 0;  // transactions
  uint64_t writes = 0;
  uint64_t read_bytes = 0;
  uint64_t written_bytes = 0;
  double busy_share = 0;  // share of the time with a transfer on the bus
  double mean_queue = 0;  // transactions between issue and end of transfer, over the whole run
};

struct TimingReport {
  double seconds = 0;
  uint64_t useful_bytes = 0;  // that the active lanes requested
  uint64_t transactions = 0;
  uint64_t bytes_moved = 0;
  uint64_t blocks = 0;          // modelled: those that the trace stored
  uint64_t blocks_missing = 0;  // of the grid, not stored
  uint32_t blocks_in_flight = 0;
  std::vector<PartitionTiming> partitions;
  double window_seconds = 0;
  std::vector<TrafficWindow> windows;  // [window][partition]

  double bytes_per_second() const { return seconds > 0 ? static_cast<double>(useful_bytes) / seconds : 0; }
  double gb_per_second() const { return bytes_per_second() / 1e9; }
  /// In the unit of NVIDIA's paper of 2010, which calls it GB/s.
  double gib_per_second() const { return bytes_per_second() / (1024.0 * 1024.0 * 1024.0); }
  Imbalance imbalance(Traffic traffic) const { return imbalance_of(windows, partitions.size(), traffic); }
};

/// Errors: Unsupported if the device's file has no [timing], its partition map is not known, or the trace
/// stored no block; Cancelled once a stop is requested.
Result<TimingReport> time_memory(const trace::Trace& trace, const Device& device,
                                 const TimingOptions& options, const std::stop_token& stop = {});

}  // namespace lanescope::model
