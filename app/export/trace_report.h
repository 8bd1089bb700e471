// The JSON report of `lanescope trace`: totals by space and kind, sites, instructions, hazards. The names are
// a contract that scripts rely on. Tests: tests/cli/trace_test.cpp

#pragma once

#include "caches/cache_report.h"
#include "export/counter_comparison.h"
#include "model/device.h"
#include "sass/machine_level.h"
#include "trace/history.h"
#include "trace/trace.h"

#include <string>
#include <vector>

namespace lanescope::exporting {

struct ReportHeader {
  std::string file;      // the CUDA or PTX file
  std::string arch;      // "sm_90"
  std::string producer;  // "emulator", "gpu"
  uint32_t dynamic_shared_bytes = 0;
  const caches::CacheReport* caches = nullptr;  // null: not modelled
  const sass::MachineLevel* machine = nullptr;  // whose counts the trace has; null: the PTX's
  const CounterComparison* counters = nullptr;  // of another machine; null: none
  double compile_seconds = 0, run_seconds = 0, model_seconds = 0;
};

/// For compute capabilities below 5.0, whose rules differ, the report also has the device's quantities
/// (half-warps, transactions, passes). `history` may be null.
std::string trace_report(const trace::Trace& trace, const model::Device& device, const ReportHeader& header,
                         const trace::History* history = nullptr);

/// The reports of several launches, in order, as one: "launches" has them, "totals" their sums.
std::string launches_report(const std::vector<std::string>& reports);

}  // namespace lanescope::exporting
