// Counters of another machine beside the counts of a run at both levels: which level explains each, and by
// what the levels differ. Tests: tests/unit/export/counter_comparison_test.cpp

#pragma once

#include "export/json.h"
#include "export/machine_differences.h"
#include "export/profile.h"
#include "sass/machine_level.h"
#include "trace/hardware_counts.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::exporting {

/// Level whose count equals a counter.
enum class ExplainedBy : uint8_t { Both, Ptx, MachineCode, Neither };

struct ComparedCount {
  trace::HardwareCount count;
  uint64_t counter = 0;
  uint64_t ptx = 0;
  std::optional<uint64_t> machine;  // absent: the machine code is not known
  ExplainedBy explained_by = ExplainedBy::Neither;
  std::vector<std::string> reasons = {};  // why the levels differ, by line, or what neither counts
};

/// A launch of a profile and the run of it.
struct CounterComparison {
  std::string file;     // of the profile
  size_t number = 0;    // of the launch among those of its kernel, from 1
  size_t launches = 0;  // of the kernel in the file
  std::vector<ComparedCount> counts;
  std::vector<std::string> notes;  // what of the other machine is not as here: architecture, registers
  size_t other_metrics = 0;        // of the file, which are not counted here
};

/// Compares the counters of `launch` that follow from addresses. `arch`: what the run was compiled for.
/// `ptx`: totals, [site]. `machine`: null where the machine code is not known.
CounterComparison compare_counters(const ProfiledLaunch& launch, const trace::Trace& trace,
                                   const std::vector<trace::Totals>& ptx, const sass::MachineLevel* machine,
                                   const std::string& arch);

/// A line for each counter, with its reasons below. Each line ends with a line feed.
std::string comparison_text(const CounterComparison& comparison);

/// The same for programs: docs/schemas/trace.schema.json.
Json comparison_json(const CounterComparison& comparison);

}  // namespace lanescope::exporting
