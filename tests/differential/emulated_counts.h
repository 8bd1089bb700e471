// What the emulator counts of a launch, under the names of the hardware's counts
// (app/trace/hardware_counts.def, tests/data/h200/counters.csv).

#pragma once

#include "base/error.h"
#include "launch/launch.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace lanescope::test {

/// Counts by name; what is not there is zero.
using Counts = std::map<std::string, uint64_t>;

/// Runs kernel `entry` of the PTX and counts what hardware would.
Result<Counts> emulated_counts(std::string_view ptx, const std::string& name, const std::string& entry,
                               const launch::Launch& launch);

}  // namespace lanescope::test
