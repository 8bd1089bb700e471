// What the emulator counts of a launch, under the names of the hardware's counts
// (app/trace/hardware_counts.def, tests/data/h200/counters.csv).

#pragma once

#include "base/error.h"
#include "launch/launch.h"
#include "trace/hardware_counts.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::tests {

/// Counts by name; what is not there is zero.
using Counts = std::map<std::string, uint64_t>;

/// Runs kernel `entry` of the PTX and counts what hardware would.
Result<Counts> emulated_counts(std::string_view ptx, const std::string& name, const std::string& entry,
                               const launch::Launch& launch);

/// The same at the level of the machine code that the assembler made of the PTX.
Result<Counts> machine_counts(std::string_view ptx, std::string_view cubin, const std::string& name,
                              const std::string& entry, const launch::Launch& launch);

struct CountDifference {
  std::string count;
  uint64_t emulated = 0;
  uint64_t hardware = 0;
};
/// In what the hardware counts from addresses. The pipe's wavefronts carry arbitration noise and are left
/// out.
std::vector<CountDifference> differences_of(const Counts& emulated, const trace::HardwareCounts& hardware);

}  // namespace lanescope::tests
