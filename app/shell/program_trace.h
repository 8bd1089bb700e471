// The verbs that look at one launch, given the source of a whole program: the program is run, and one of its
// launches is looked at, the one that wastes most unless another is chosen. Tests:
// tests/cli/program_test.cpp

#pragma once

#include "base/error.h"
#include "base/temporary_folder.h"
#include "pipeline/run.h"
#include "shell/hosting/hosted_run.h"
#include "shell/run_arguments.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace lanescope::shell {

/// A program that was run, and the launch of it that is looked at.
struct ProgramTrace {
  TemporaryFolder folder;
  HostedRun run;
  HostedOutcome outcome;
  model::Device device;
  uint32_t number = 0;                               // of that launch, from 0
  bool has_others = false;                           // launches that could have been looked at too
  std::shared_ptr<const pipeline::Run> launch = {};  // null: no launch was made, or none of the chosen kernel
  std::filesystem::path file = {};                   // the launch's trace
};

/// Whether the arguments name a program: a source with main, and no option that is for a kernel alone.
bool names_program(const RunArguments& arguments);

/// What is left of a program that nvcc refuses, or that only names its launches.
enum class WithoutProgram : uint8_t {
  Kernels,  // which run alone; a line on standard error says why
  Nothing   // an error says why
};

/// Runs the program that the arguments name, if they name one: a source with main, with no option that is for
/// a kernel alone. Null where they do not, or where the kernels alone are left. Errors: those of
/// run_program(); Usage for a kernel or a launch that the program does not have; Compile for
/// WithoutProgram::Nothing.
Result<std::unique_ptr<ProgramTrace>> trace_program(const RunArguments& arguments, const Paths& paths,
                                                    ProgramCommand::Output output,
                                                    driver::KeptAccesses accesses,
                                                    WithoutProgram otherwise = WithoutProgram::Kernels);

/// trace_program() with the launch's accesses, for what is drawn or modelled of one launch. Errors: also
/// Launch where the program launched no kernel.
Result<std::unique_ptr<ProgramTrace>> trace_launch(const RunArguments& arguments, const Paths& paths,
                                                   ProgramCommand::Output output);

/// trace_launch() with the launch run again, as one of its source, on what the program gave it: with the
/// registers, the elements of the buffers and the values that a saved trace has not. Where its inputs were
/// not kept, or its kernel does not compile without the host code, the launch's accesses as the program made
/// them.
Result<std::unique_ptr<ProgramTrace>> run_launch(const RunArguments& arguments, const Paths& paths,
                                                 ProgramCommand::Output output);

/// What went wrong in the program on standard error: its end, findings, calls that are not supported. The
/// exit status: 1 if something did.
int report_program(const ProgramTrace& program);

}  // namespace lanescope::shell
