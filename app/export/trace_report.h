// The JSON report of `lanescope trace`: totals by space and kind, sites, instructions, hazards. The names are
// a contract that scripts rely on. Tests: tests/unit/export/trace_report_test.cpp

#pragma once

#include "trace/trace.h"

#include <string>

namespace lanescope::exporting {

struct ReportHeader {
  std::string file;      // the CUDA or PTX file
  std::string arch;      // "sm_90"
  std::string producer;  // "emulator", "gpu"
  std::string device;    // "h200"
  uint32_t dynamic_shared_bytes = 0;
  double compile_seconds = 0, run_seconds = 0, model_seconds = 0;
};

std::string trace_report(const trace::Trace& trace, const ReportHeader& header);

}  // namespace lanescope::exporting
