// What is wrong with a kernel that ran, as an error. Tests:
// tests/unit/pipeline/hazards_test.cpp

#pragma once

#include "base/error.h"
#include "trace/trace.h"

#include <optional>
#include <string_view>

namespace lanescope::pipeline {

/// The first hazard of the trace, and the others on lines of their own; absent if there is none.
std::optional<Error> error_of(const trace::Trace& trace);

/// Hazard where the kernel was stopped before its end: by anything but a data race or an uninitialized read.
/// `what`, "a time" or "a figure", would be of a part of its run.
Result<void> require_whole(const trace::Trace& trace, std::string_view what);

}  // namespace lanescope::pipeline
