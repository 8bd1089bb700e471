// A run of a trace that was saved: its accesses, totals and findings, and what the models say of them. It has
// no source, no PTX, no lane values and no buffers. Tests: tests/unit/session/saved_trace_test.cpp

#pragma once

#include "model/device.h"
#include "pipeline/run.h"

#include <memory>

namespace lanescope::pipeline {

std::shared_ptr<const Run> run_of_trace(trace::Trace trace, const model::Device& device);

/// Whether the run is of a saved trace.
bool is_saved_trace(const Run& run);

}  // namespace lanescope::pipeline
