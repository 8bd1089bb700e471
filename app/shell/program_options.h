// Options of the verbs that run a whole program: how its launches are run.
// Tests: tests/cli/{run,program}_test.cpp

#pragma once

#include "shell/hosting/hosted_run.h"
#include "shell/parser.h"

#include <cstdint>
#include <optional>

namespace lanescope::shell {

/// As written on the command line.
struct ProgramOptions {
  bool no_repeats = false;
  bool keep_going = false;
  std::optional<uint32_t> sample_blocks;
  bool sample_all = false;
};

void add_program_options(const Verb& verb, ProgramOptions& options);
/// Errors: Usage, for options that do not fit each other, or are given to a GPU (HostedRun::runs_on_gpu).
Result<void> apply(const ProgramOptions& options, HostedRun& run);

}  // namespace lanescope::shell
