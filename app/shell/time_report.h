// What `lanescope time` says: the table of times and counts, and the same as JSON. Tests:
// tests/cli/remote_test.cpp

#pragma once

#include "gpu/timing.h"
#include "recordings/recording.h"
#include "shell/run_arguments.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::shell {

struct TimeArguments {
  RunArguments run;
  std::string json_file;
  bool json = false;
  std::string l2 = "cold";
  unsigned repetitions = 21;
};

/// A kernel that was timed.
struct Timed {
  std::string name;  // as the lesson calls it, or the entry
  Finished finished;
  uint64_t useful_bytes = 0;
  gpu::Timing timing;
  gpu::Timing copy;  // of as many bytes
  std::optional<trace::HardwareCounts> counts = std::nullopt;
};

/// All that was timed, and why nothing was counted if so.
struct Measured {
  std::vector<Timed> kernels;
  std::string no_counts;
};

/// On standard output.
void print_times(const Measured& measured, const recordings::Recording& gpu, const TimeArguments& arguments);
std::string time_report(const Measured& measured, const recordings::Recording& gpu,
                        const TimeArguments& arguments);

}  // namespace lanescope::shell
