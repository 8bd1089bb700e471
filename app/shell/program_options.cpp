#include "shell/program_options.h"

namespace lanescope::shell {

void add_program_options(const Verb& verb, ProgramOptions& options) {
  verb.add("--no-repeats", options.no_repeats,
           "of a program: run every launch, also one that would repeat a launch that changed nothing");
}

void apply(const ProgramOptions& options, HostedRun& run) { run.runs_repeats = options.no_repeats; }

}  // namespace lanescope::shell
