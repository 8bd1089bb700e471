// What the checks found in a run, on standard error, for each verb that runs a kernel. Tests: tests/cli

#pragma once

#include "trace/trace.h"

namespace lanescope::shell {

/// Notes, what could not be checked, and the hazards, a sentence each. Exit status: 1 if there is a hazard.
int report_findings(const trace::Trace& trace);

}  // namespace lanescope::shell
