// Models the caches of a launch from the requests of its blocks. Method: an event for each request of a warp.
// A multiprocessor takes a line each cycle; a warp has up to four loads under way, waits for them before it
// stores, and at barriers for its block. Blocks follow as others end. MODEL: for an H100 and an H200; rules
// and their sources are in tests/data/caches/README.md, latencies are first guesses that were not fitted.
// Tests: tests/unit/caches/simulate_test.cpp, tests/cli/h100_caches_test.cpp

#pragma once

#include "base/error.h"
#include "caches/block_order.h"
#include "caches/cache_report.h"
#include "caches/l2_memory.h"
#include "caches/rules.h"
#include "caches/stream_stage.h"
#include "model/device.h"
#include "trace/trace.h"

#include <stop_token>
#include <vector>

namespace lanescope::caches {

/// Order of the launch's blocks on the device, whose shared memory and registers are those of `trace`.
BlockOrder block_order_of(const trace::Trace& trace, const model::Device& device, const Rules& rules);

struct SimulateOptions {
  Rules rules = {};
  std::stop_token stop = {};
  bool keeps_origins = false;  // CacheReport::origins
  /// L2 that the launch finds and leaves; null: it finds an empty one. Where not all multiprocessors are
  /// modelled it is empty afterwards.
  L2Memory* memory = nullptr;
};

/// The caches of the launch, with a band of the DRAM's reads where it can fill half of the L2 (L2Memory).
/// Errors: those of require_known(); Cancelled once a stop is requested. `trace`: of the run that gave the
/// streams, or its header.
Result<CacheReport> simulate(const Streams& streams, const trace::Trace& trace, const model::Device& device,
                             const SimulateOptions& options = {});

}  // namespace lanescope::caches
