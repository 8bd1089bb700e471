// A report for the tools of CI: SARIF 2.1.0, whose results a code review marks in lines, and JUnit's XML. A
// result of SARIF is an error, and a test case of JUnit fails, where the exit status is 1 because of it.
// Tests: tests/unit/report/written_reports_test.cpp

#pragma once

#include "report/report.h"

#include <string>

namespace lanescope::report {

/// A result for each finding; those that are suppressed say so and why.
std::string sarif_report(const Report& report);

/// For each kernel a test case for its hazards and one for its costs; one for the program itself.
std::string junit_report(const Report& report);

}  // namespace lanescope::report
