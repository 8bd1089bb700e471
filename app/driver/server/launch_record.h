// Record of a launch of `lanescope run`: kernel, shapes, costs, findings. Each is an entry of run.json.
// Tests: tests/unit/driver/launch_record_test.cpp

#pragma once

#include "base/dim3.h"
#include "driver/server/launch_caches.h"
#include "driver/server/memory_comparison.h"
#include "export/traffic_report.h"
#include "trace/launch_cost.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace lanescope::driver {

/// The machine code whose accesses a launch counts.
struct CountedMachineCode {
  std::string arch;                           // "sm_80"
  uint32_t registers = 0;                     // per thread
  uint64_t matched = 0, all = 0;              // requests of the PTX: those whose instructions are known, all
  std::vector<std::string> differences = {};  // from the PTX, by line, a sentence each
  bool operator==(const CountedMachineCode&) const = default;
};

struct LaunchRecord {
  uint32_t number = 0;  // in the order of the launches of all processes, from 0
  int process = 0;
  std::string program = {};  // file of the process's program or script, "transpose"
  std::string kernel = {};   // as in the source
  std::string entry = {};    // as in the PTX
  uint64_t module = 0;       // that the kernel is of: equal contents have equal numbers; 0: not known
  Dim3 grid = {}, block = {};
  uint32_t dynamic_shared_bytes = 0;
  bool was_emulated = true;  // false: it ran on a GPU alone, and cost, findings and seconds are not known
  double seconds = 0;        // that the emulator took
  std::optional<double> measured_seconds = {};     // on a GPU
  std::optional<CountedMachineCode> machine = {};  // that the counts are of; none: those of the PTX
  std::optional<LaunchCaches> caches = {};         // where they are modelled
  trace::LaunchCost cost = {};
  std::vector<exporting::TrafficTotals> totals = {};  // those that are not zero
  uint64_t warp_instructions = 0;
  uint64_t allocated_bytes = 0;                   // of the device's memory, at the launch
  bool was_checked = false;                       // for data races; bounds are checked always
  uint64_t sampled_blocks = 0;                    // that ran, and have the counts; 0: all
  bool has_incomplete_inputs = false;             // it reads what a launch left of which not all blocks ran
  std::vector<std::string> findings = {};         // with their location, one sentence each
  std::vector<trace::Hazard> hazards = {};        // the findings with their kinds, blocks and threads
  std::vector<std::string> notes = {};            // findings that are no defect, and what was not checked
  std::vector<trace::Hazard> barrier_notes = {};  // of the notes those on barriers, with their lines
  std::string error = {};                         // why it did not run to its end; empty: it did
  std::string file = {};            // of its accesses, in the folder of the run; empty: they were not kept
  std::string inputs = {};          // file of its inputs, in the folder of the run; empty: they were not kept
  std::string without_inputs = {};  // why its inputs could not be kept
  /// Number of the launch that this one would repeat: it was not run, and has the counts of that one.
  std::optional<uint32_t> repeats = {};
  std::optional<MemoryComparison> comparison = {};  // of a captured launch's memory with the GPU's
};

nlohmann::json to_json(const LaunchRecord& record);

}  // namespace lanescope::driver
