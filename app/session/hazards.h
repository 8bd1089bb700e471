// What is wrong with a kernel that ran, as the error that the window shows. Tests:
// tests/unit/session/hazards_test.cpp

#pragma once

#include "base/error.h"
#include "trace/trace.h"

#include <optional>
#include <string>

namespace lanescope::session {

/// The first hazard of the trace, and the others on lines of their own; absent if there is none.
std::optional<Error> error_of(const trace::Trace& trace);

}  // namespace lanescope::session
