// A profile of Nsight Compute: the counters of each launch that `ncu --csv --page raw` printed, or `ncu --csv
// --metrics ...`. Method: the lines before the header, which ncu and the program print, are passed over;
// below the header is a row of units, then a row for each launch, or a row for each metric of a launch.
// Digits may be grouped as the machine's language does it. Source: Nsight Compute CLI, "Output Options".
// Tests: tests/unit/export/profile_test.cpp

#pragma once

#include "base/dim3.h"
#include "base/error.h"
#include "trace/hardware_counts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::exporting {

struct ProfiledLaunch {
  std::string kernel;                     // "tile<32, float>", without return type and parameters
  std::optional<Dim3> grid, block;        // absent where the version of ncu does not print them
  std::optional<int> compute_capability;  // 90
  std::optional<uint64_t> registers;      // per thread
  trace::HardwareCounts counts;
};

struct Profile {
  std::vector<ProfiledLaunch> launches;  // in the order of the file, which is that of the launches
  size_t other_metrics = 0;              // columns of metrics that hardware_counts.def lacks
};

/// `name`: of the file, for errors. Errors: Syntax for a text that is no such table, with what to print
/// instead; one without any launch, one without any metric of hardware_counts.def,
/// and counts that were printed rounded.
Result<Profile> read_profile(std::string_view text, const std::string& name);

/// "tile<32, float>" of "void tile<(int)32, float>(const T1 *, int)", as ncu writes it.
std::string kernel_of_signature(std::string_view signature);

}  // namespace lanescope::exporting
