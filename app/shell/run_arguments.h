// The options that several verbs share: what to run and how. Tests: tests/cli

#pragma once

#include "pipeline/execution.h"
#include "pipeline/file_job.h"
#include "pipeline/job.h"
#include "pipeline/launch_file.h"
#include "shell/gpu_choice.h"
#include "shell/hosting/progress.h"
#include "shell/parser.h"
#include "shell/paths.h"
#include "shell/program_options.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::shell {

/// As written on the command line, not checked yet.
struct RunArguments {
  std::string file;
  std::vector<std::string> more_files;  // of the program that `file` is of
  std::string program;                  // the program's arguments, joined by kWordEnd (shell/parser.h)
  bool kernels_only = false;            // the host code of `file` is not run
  std::string lesson;
  std::vector<std::string> set;
  std::string kernel;
  std::string grid, block;
  uint64_t shared_bytes = 0;
  std::vector<std::string> arguments;
  std::vector<std::string> constants;  // NAME=SPEC
  std::vector<std::string> then;       // further launches, their words joined by kWordEnd (shell/parser.h)
  uint32_t launch = 0;                 // of several launches the one to look at, from 1; 0: the last
  pipeline::FileOptions compile;
  std::string producer = "emulator";
  GpuChoice gpu;
  unsigned threads = 0;
  std::string device;  // empty: h200
  std::string blocks = "all";
  std::string looked_at;               // X,Y,Z: the block whose values and waits are kept; empty: none
  bool reads_looked_at_alone = false;  // of a saved trace: no block but `looked_at`
  std::string checks = "all";
  std::string scheduling = "independent";
  std::string engine = "fast";
  std::string level = "ptx";
  std::string counters;  // a profile's file, whose counters are compared at both levels; empty: none
  bool caches = false;   // model the caches
  std::vector<std::string> without;  // rules of the caches
  uint32_t cache_memory_mib = 0;     // for the requests that the caches are modelled from; 0: 256
  bool keeps_origins = false;        // of an access's sectors, where the caches are modelled
  uint64_t limit_steps = 0;
  ProgramOptions of_program;
  std::optional<Verb> verb;  // for the question which options were given
};

void add_run_arguments(const Verb& verb, RunArguments& arguments);
/// Of them those that compile a file: -D, -I, --std and -X.
void add_compile_options(const Verb& verb, pipeline::FileOptions& options);
/// The same with FILE and --arch.
void add_compile_arguments(const Verb& verb, RunArguments& arguments);

/// --level of the verbs that draw.
void add_level_argument(const Verb& verb, std::string& level);
/// Errors: Usage for a level of what has one already: a saved trace.
Result<void> check_level(const RunArguments& arguments);

/// How the files of the arguments are compiled.
pipeline::FileOptions file_options(const RunArguments& arguments, const Paths& paths);
/// The same for a session, which gets the folders of headers with the file that it opens.
pipeline::CompilerOptions compiler_options(const pipeline::FileOptions& options);

/// The requested lesson, with its toggles after --set.
struct ChosenLesson {
  lesson::Lesson lesson;
  lesson::Settings settings;
};
Result<ChosenLesson> lesson_of(const RunArguments& arguments, const Paths& paths);

/// The job that the arguments describe. Errors: Usage if they contradict each other.
struct Request {
  std::vector<pipeline::Step> steps;  // launches that are made one after the other, at least one
  pipeline::LaunchFile launches;      // of a file: the same as text
  pipeline::RunOptions options;
  model::Device device;

  /// The last one's.
  const pipeline::Job& job() const { return steps.back().job; }
  pipeline::Job& job() { return steps.back().job; }
};
/// `previous` may lend the contents of its buffers to a lesson's launch.
Result<Request> request_of(const RunArguments& arguments, const Paths& paths,
                           const launch::Launch* previous = nullptr);

/// What of a launch was guessed, with the options that mean the launch; empty where nothing was.
std::string guess_words(const pipeline::LaunchText& launch);
/// Whether the host code has all numbers of the launch, so that the contents of its buffers alone are a
/// guess.
bool is_of_host_code(const pipeline::LaunchText& launch);

/// A finished run and its description.
struct Finished {
  Request request;
  std::shared_ptr<const pipeline::Run> run;                   // of the last of the steps
  std::vector<std::shared_ptr<const pipeline::Run>> earlier;  // those of the steps before it
};
Result<Finished> run_request(const RunArguments& arguments, const Paths& paths);
/// The same of a request that was made, for several in a row.
Result<Finished> run_request(const RunArguments& arguments, const Paths& paths, Request request,
                             pipeline::Execution& execution, Progress& progress);

/// The device that the arguments name, h200 by default. `what` counts sectors and wavefronts: "a report".
/// Errors: those of find_device(); Usage for a device that has none.
Result<model::Device> device_with_sectors(const RunArguments& arguments, const Paths& paths,
                                          std::string_view what);
/// "X,Y[,Z]" as a position in `grid`.
Result<CtaId> parse_block(std::string_view text, Dim3 grid);

}  // namespace lanescope::shell
