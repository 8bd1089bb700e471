// A run of a trace that was saved: its accesses, totals and findings, and what the models say of them. It has
// no PTX, and a source only where one is given, no lane values and no buffers. Tests:
// tests/unit/session/saved_trace_test.cpp

#pragma once

#include "model/device.h"
#include "pipeline/run.h"

#include <map>
#include <memory>
#include <string>

namespace lanescope::pipeline {

/// `sources`: texts by the names that the trace's sites have; the kernel's is the run's source.
std::shared_ptr<const Run> run_of_trace(trace::Trace trace, const model::Device& device,
                                        const std::map<std::string, std::string>& sources = {});

/// Whether the run is of a saved trace.
bool is_saved_trace(const Run& run);

}  // namespace lanescope::pipeline
