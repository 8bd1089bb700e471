// What `lanescope report` reports: a kernel, a whole program, a saved trace, or the folder of a run; each is
// run if need be, and each of its launches becomes part of the report. Tests: tests/cli/report_test.cpp

#pragma once

#include "base/error.h"
#include "report/report.h"
#include "report/source_texts.h"
#include "shell/hosting/hosted_program.h"
#include "shell/paths.h"
#include "shell/run_arguments.h"

#include <filesystem>
#include <string>

namespace lanescope::shell {

/// Runs what the arguments name. `sources` gets the texts that the launches have. Errors: those of
/// run_request() and trace_program(); Usage for a device before compute capability 5.0.
Result<report::Report> report_of(const RunArguments& arguments, const Paths& paths,
                                 ProgramCommand::Output output, Language language,
                                 report::SourceTexts& sources);

/// Makes the names of files below `folder` relative to it.
void shorten_names(report::Report& report, const std::filesystem::path& folder);

}  // namespace lanescope::shell
