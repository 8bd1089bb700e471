// Compares a report with an earlier one: kernels by name, findings by kernel, kind and the text of their
// line, since numbers of lines move. Tests: tests/unit/report/comparison_test.cpp

#pragma once

#include "base/error.h"
#include "report/report.h"

#include <string>
#include <vector>

namespace lanescope::report {

/// A finding as another report has it.
struct KnownFinding {
  std::string kernel = {}, kind = {}, access = {}, text = {};
  uint64_t cost = 0;
};

/// What of a report others are compared with.
struct Baseline {
  std::string name;
  std::vector<KernelCost> kernels;
  std::vector<KnownFinding> findings;
  bool is_of_machine_code = false;
};
Baseline baseline_of(const Report& report, std::string name);

/// Errors: Usage where one counts the PTX and the other the machine code.
Result<void> require_same_level(const Report& report, const Baseline& baseline);

/// Compares, and says of each finding whether it is new. A finding is known if the baseline has one of its
/// kernel, kind, access and text, or one of another text that is gone and cost as much. Worse: more sectors
/// or wavefronts by more than `tolerance_percent`, more hazards, or a new finding that is not suppressed.
void compare(Report& report, const Baseline& baseline, double tolerance_percent);

}  // namespace lanescope::report
