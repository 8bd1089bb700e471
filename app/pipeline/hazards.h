// The hazards that the checks found in a run, as an error. Tests: tests/unit/pipeline/hazards_test.cpp

#pragma once

#include "base/error.h"
#include "trace/trace.h"

#include <optional>
#include <string_view>

namespace lanescope::pipeline {

/// The first hazard of the trace, followed by one line for each other one; absent if there is none.
std::optional<Error> error_of(const trace::Trace& trace);

/// Hazard where the kernel was stopped before its end, which every hazard does except a data race and an
/// uninitialized read. `what` ("a time", "a figure") is what a partial run must not be used for.
Result<void> require_whole(const trace::Trace& trace, std::string_view what);

}  // namespace lanescope::pipeline
