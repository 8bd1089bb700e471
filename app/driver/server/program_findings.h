// Findings of a whole program, for its report: one for each mistake, however many places and launches it is
// found in. Method: findings of one kind at one source line are one, and so are races that share a line,
// since a barrier that is missing after one store lets many reads race with it. Tests:
// tests/unit/driver/program_findings_test.cpp

#pragma once

#include "driver/server/launch_records.h"

#include <string>
#include <vector>

namespace lanescope::driver {

/// Sentences in the order in which they were first found, each with the kernel, and with the program if
/// several ran: "reduce: sum.cu:12: thread ... (and 22 more races at lines 12, 14, in 3 launches)".
/// `names_errors`: also why launches did not run to their end, where no finding says so.
std::vector<std::string> findings_of(const LaunchRecords& records, bool names_errors);

/// Notes on barriers that not all threads reach, likewise: a correct kernel may have them.
std::vector<std::string> barrier_notes_of(const LaunchRecords& records);

/// True if launches of several programs, told apart by LaunchRecord::program, are among the records.
bool has_several_programs(const LaunchRecords& records);

}  // namespace lanescope::driver
