// Options of the verbs that run a whole program: how its launches are run.
// Tests: tests/cli/{run,program}_test.cpp

#pragma once

#include "shell/hosting/hosted_run.h"
#include "shell/parser.h"

namespace lanescope::shell {

/// As written on the command line.
struct ProgramOptions {
  bool no_repeats = false;
};

void add_program_options(const Verb& verb, ProgramOptions& options);
void apply(const ProgramOptions& options, HostedRun& run);

}  // namespace lanescope::shell
