// The run that a figure or a handout is drawn of: of a kernel, of a launch of a program, or of a saved trace.
// Tests: tests/cli/plot_test.cpp, tests/cli/handout_test.cpp

#pragma once

#include "shell/program_trace.h"
#include "shell/run_arguments.h"

#include <memory>

namespace lanescope::shell {

/// What a figure is drawn of.
struct DrawnRun {
  std::shared_ptr<const pipeline::Run> run;
  model::Device device;
  std::unique_ptr<ProgramTrace> program = {};  // null: no program was run
  pipeline::LaunchFile launches = {};          // of a file that was run; empty for all else
};

/// The kernel's run, or that of a saved trace. Errors: those of the run, and of reading the trace.
Result<DrawnRun> drawn_run(const RunArguments& arguments, const Paths& paths);

}  // namespace lanescope::shell
