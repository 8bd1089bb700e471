// Prints the findings of the checks on standard error, for each verb that runs a kernel. Tests: tests/cli

#pragma once

#include "trace/trace.h"

namespace lanescope::shell {

/// Notes and checks that could not be made, a sentence each.
void report_notes(const trace::Trace& trace);

/// Notes, checks that could not be made, and hazards, a sentence each. Exit status: 1 if there is a hazard.
int report_findings(const trace::Trace& trace);

}  // namespace lanescope::shell
