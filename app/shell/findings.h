// Prints the findings of the checks on standard error, for each verb that runs a kernel. Tests: tests/cli

#pragma once

#include "session/snapshot.h"
#include "trace/trace.h"

namespace lanescope::shell {

/// Notes and checks that could not be made, a sentence each.
void report_notes(const trace::Trace& trace);

/// Whether the error of the snapshot is what the checks found in the run that it shows: part of what is to be
/// seen.
bool is_finding(const session::Snapshot& now);

/// Notes, checks that could not be made, and hazards, a sentence each. Exit status: 1 if there is a hazard.
int report_findings(const trace::Trace& trace);

}  // namespace lanescope::shell
