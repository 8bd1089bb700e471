// Holds the engines of the emulator against each other, as RE2 holds its engines against the backtracking
// one: whatever a kernel does, Reference, Groups and Batches make the same of it, with each instruction set,
// with checks and without. Method: where the checks find nothing, everything is compared: buffers, output,
// every access, totals, counts of instructions. Where they find something, lanes may see different values and
// a hazard stops warps at other places, so that the findings are compared, by kind and by the lines that they
// are about; of several reads that race with one store, engines may name different ones.

#pragma once

#include "emulator/run.h"
#include "launch/launch.h"
#include "ptx/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::tests {

/// What two engines must have in common.
enum class Common : uint8_t {
  All,
  Results  // buffers, output and findings: a kernel that polls makes as many rounds as the order of warps
           // wants
};

/// The differences that were found, as sentences; empty: all engines agree.
std::vector<std::string> engine_differences(const ptx::Program& program, const launch::Launch& launch,
                                            Common common = Common::All);

/// Fails the test with the differences and `what` they are of.
void expect_engines_agree(const ptx::Program& program, const launch::Launch& launch, const std::string& what,
                          Common common = Common::All);

/// What the reference finds: "race 12 15", kind and PTX lines; sorted, each once.
std::vector<std::string> reference_findings(const ptx::Program& program, const launch::Launch& launch);

}  // namespace lanescope::tests
