// Runs the kernels of the layout lab in the emulator: counts from executed addresses, and whether every
// element was stored and found where the layout says. Tests: tests/unit/pipeline/layout_run_test.cpp

#pragma once

#include "layout/kernel_text.h"
#include "pipeline/execution.h"

#include <vector>

namespace lanescope::pipeline {

/// [access] What the accesses of the kernels cost. All accesses of the report must be possible. Errors: those
/// of Execution::run(); Internal where the kernel lost an element, or counts something else than the report.
Result<std::vector<layout::AccessCost>> run_layout(const layout::Report& report, Execution& execution,
                                                   const Options& options);

}  // namespace lanescope::pipeline
