// The report of `lanescope time`: the table of times and counts, and the same as JSON. Tests:
// tests/cli/remote_test.cpp

#pragma once

#include "gpu/timing.h"
#include "recordings/recording.h"
#include "shell/output_arguments.h"
#include "shell/run_arguments.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::shell {

struct TimeArguments {
  RunArguments run;
  JsonArgument json;
  std::string l2 = "cold";
  unsigned repetitions = 21;
};

/// A kernel that was timed.
struct Timed {
  std::string name;  // the lesson's name of the kernel, or the entry
  Finished finished;
  uint64_t useful_bytes = 0;
  gpu::Timing timing;
  gpu::Timing copy;  // of the same number of bytes
  std::optional<trace::HardwareCounts> counts = std::nullopt;
};

/// All timed kernels, and the reason if there are no counters.
struct Measured {
  std::vector<Timed> kernels;
  std::string no_counts;
};

/// On standard output.
void print_times(const Measured& measured, const recordings::Recording& gpu, const TimeArguments& arguments);
std::string time_report(const Measured& measured, const recordings::Recording& gpu,
                        const TimeArguments& arguments);

}  // namespace lanescope::shell
