#include "shell/program_trace.h"

#include "base/escape.h"
#include "base/source_name.h"
#include "caches/known_devices.h"
#include "compile/nearby_files.h"
#include "compile/program.h"
#include "export/trace_file.h"
#include "pipeline/kernel_choice.h"
#include "pipeline/program_launch.h"
#include "pipeline/program_run.h"
#include "pipeline/saved_trace.h"
#include "pipeline/sequence.h"
#include "shell/findings.h"
#include "shell/hosting/progress.h"
#include "shell/hosting/source_program.h"

#include <algorithm>
#include <array>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

/// Options of a kernel that runs alone, with a launch of the command line's.
constexpr std::array kOfKernelAlone{"--grid",     "--block",   "--shared",      "--arg",     "--constant",
                                    "--then",     "--show",    "--dump",        "--history", "--producer",
                                    "--host",     "--set",     "--scheduling",  "--checks",  "--engine",
                                    "--counters", "--without", "--cache-memory"};

std::vector<fs::path> files_of(const RunArguments& arguments) {
  std::vector<fs::path> files{arguments.file};
  files.insert(files.end(), arguments.more_files.begin(), arguments.more_files.end());
  return files;
}

/// The numbers of the launches that can be looked at: the one that was asked for, else those of the chosen
/// kernel, or all, of which a trace was kept. Errors: Usage where there is no such launch or kernel.
Result<std::set<uint32_t>> candidates(const driver::LaunchRecords& records, const RunArguments& arguments) {
  std::set<uint32_t> found;
  std::set<std::string> names;
  for (const driver::LaunchRecord& record : records) {
    names.insert(record.kernel);
    const bool is_meant = arguments.launch != 0
                              ? record.number == arguments.launch - 1
                              : arguments.kernel.empty() || record.entry == arguments.kernel ||
                                    signature_of(record.entry) == arguments.kernel ||
                                    pipeline::is_name_of_kernel(arguments.kernel, record.kernel);
    if (is_meant && !record.file.empty()) found.insert(record.number);
  }
  if (!found.empty() || records.empty()) return found;
  if (arguments.launch != 0)
    return fail(ErrorKind::Usage, fmt::format("--launch {}: the program made {} launches, counted from 1",
                                              arguments.launch, records.size()));
  if (arguments.kernel.empty()) return found;
  return fail(ErrorKind::Usage, fmt::format("the program launches no kernel '{}'; it launches: {}",
                                            arguments.kernel, fmt::join(names, ", ")));
}

/// Reads the trace of the chosen launch.
Result<void> read_launch(ProgramTrace& program, const RunArguments& arguments) {
  const driver::LaunchRecords records = program.outcome.log->records();
  TRY(const std::set<uint32_t> found, candidates(records, arguments));
  if (found.empty()) return {};
  TRY(const pipeline::ProgramRun run, pipeline::read_program_run(program.folder.path()));
  const pipeline::ProgramLaunch* chosen = pipeline::costliest_launch(
      run, [&](const pipeline::ProgramLaunch& launch) { return found.contains(launch.number); });
  if (chosen == nullptr) return {};
  program.has_others = found.size() > 1;
  program.number = chosen->number;
  program.file = chosen->file;
  TRY(trace::Trace trace, exporting::read_trace(program.file));
  program.launch = pipeline::run_of_trace(std::move(trace), program.device, run.sources);
  return {};
}

/// Whether the program only names its launches: it allocates nothing, and each of its kernels stops at a null
/// pointer.
bool is_sketch(const driver::ProgramLog& log) {
  const driver::LaunchRecords records = log.records();
  return !records.empty() && std::ranges::all_of(records, [](const driver::LaunchRecord& record) {
    return record.allocated_bytes == 0 && !record.error.empty() && !record.hazards.empty() &&
           record.hazards.back().kind == trace::HazardKind::OutOfBounds;
  });
}

/// The launch that is looked at, on its kept inputs. Errors: Usage where they were not kept, or where the
/// file has no such kernel; those of JobCompiler::kernels() and run_steps().
Result<std::shared_ptr<const pipeline::Run>> run_again(const ProgramTrace& program, const fs::path& file,
                                                       const RunArguments& arguments, const Paths& paths) {
  TRY(const pipeline::ProgramRun run, pipeline::read_program_run(program.folder.path()));
  const pipeline::ProgramLaunch* const launch = launch_kept_in(run, program.file);
  if (launch == nullptr || launch->inputs.empty())
    return fail(ErrorKind::Usage, "what this launch was given was not kept");
  pipeline::Options options = session_options(paths);
  options.threads = arguments.threads;
  Progress progress;  // before the threads of `execution`, which must not take Ctrl-C from it
  pipeline::Execution execution(options);
  const pipeline::FileOptions compiled = file_options(arguments, paths);
  TRY(const pipeline::Job job, pipeline::text_job_of_file(file, "", compiled));
  TRY(const auto kernels, execution.compiler().kernels(job));
  const auto kernel = std::ranges::find(kernels, launch->entry, &pipeline::ListedKernel::entry);
  if (kernel == kernels.end() || kernel->refused)
    return fail(ErrorKind::Usage, fmt::format("{} has no kernel '{}'", file.string(), launch->kernel));
  TRY(const pipeline::LaunchFile launches, pipeline::launches_of_program(file, *kernel, *launch));
  TRY(std::vector<pipeline::Step> steps, pipeline::steps_of_files(launches, compiled));
  pipeline::RunOptions how{.keep = {}, .stop = {}};
  how.level = program.run.level;
  if (arguments.caches) how.caches = caches::Rules{};
  for (pipeline::Step& step : steps)
    step.job.options.with_machine_code = how.level == trace::CountLevel::MachineCode;
  TRY(auto runs, pipeline::run_steps(execution, steps, program.device, how, [&](const pipeline::Job& one) {
        progress.begin(one.kernel, volume(one.launch->grid));
      }));
  return std::move(runs.back());
}

}  // namespace

bool names_program(const RunArguments& arguments) {
  if (arguments.kernels_only || arguments.file.empty() || !arguments.lesson.empty()) return false;
  if (std::ranges::any_of(kOfKernelAlone, [&](const char* option) { return arguments.verb->has(option); }))
    return false;
  const std::vector<fs::path> files = files_of(arguments);
  return std::ranges::all_of(files, is_source_file) && has_main(files);
}

Result<std::unique_ptr<ProgramTrace>> trace_program(const RunArguments& arguments, const Paths& paths,
                                                    ProgramCommand::Output output,
                                                    driver::KeptAccesses accesses, WithoutProgram otherwise) {
  for (const std::string& word : arguments.more_files)
    if (!is_source_file(word))
      return fail(
          ErrorKind::Usage,
          fmt::format("'{}' is no source file; the arguments of the program are given after --, as in "
                      "'{} -- {}'",
                      word, arguments.file, word));
  const bool is_program = names_program(arguments);
  if (!is_program && !arguments.more_files.empty())
    return fail(
        ErrorKind::Usage,
        fmt::format(
            "the argument '{}' of '{}' was not expected: several files are those of one program, which "
            "has main and takes no option of one kernel's launch",
            arguments.more_files.front(), arguments.verb->name()));
  for (const char* option : {"--keep-going", "--sample-blocks", "--sample-all"})
    if (!is_program && arguments.verb->has(option))
      return fail(
          ErrorKind::Usage,
          fmt::format("{} is of a whole program, a file with main, and a kernel runs alone here; leave "
                      "it out",
                      option));
  if (!is_program) return nullptr;
  HostedRun run;
  const std::string device = arguments.device.empty() ? kDeviceOfSources : arguments.device;
  TRY(const model::Device modelled, model::find_device(paths.assets / "devices", device));
  if (arguments.caches) TRY_VOID(caches::require_known(modelled));
  run.device = device_seen(modelled, device);
  const SourceProgram source{.files = files_of(arguments),
                             .arguments = words_of(arguments.program),
                             .options = file_options(arguments, paths)};
  if (const auto compiled = compile_source(source, paths, run); !compiled) {
    const Error& error = compiled.error();
    if (error.kind == ErrorKind::Cancelled) return std::unexpected(error);
    std::string why =
        error.kind == ErrorKind::Compile ? compile::first_error_of(error.message) : describe(error);
    if (const fs::path other = compile::source_with_missing_function(why, arguments.file); !other.empty())
      why += fmt::format("; {} has it: lanescope {} {} {}", other.string(), arguments.verb->name(),
                         fs::path(arguments.file).string(), other.string());
    else if (why.contains("undefined reference"))
      why += "; give the program's other source files after this one, or a library as -X -lNAME";
    why = without_control_characters(why);
    if (otherwise == WithoutProgram::Nothing)
      return fail(ErrorKind::Compile, fmt::format("the program does not compile: {}", why));
    fmt::print(stderr, "note: the program is not run, only its kernels: {}\n", why);
    return nullptr;
  }
  TRY(TemporaryFolder folder, TemporaryFolder::make("trace"));
  run.command.output = output;
  run.accesses = accesses;
  if (accesses == driver::KeptAccesses::All) run.most_input_bytes = kMostInputBytes;
  if (arguments.launch != 0) run.also_keeps = arguments.launch - 1;
  run.folder = folder.path();
  run.threads = arguments.threads;
  run.models_caches = arguments.caches;
  if (arguments.level == "sass") run.level = trace::CountLevel::MachineCode;
  TRY_VOID(apply(arguments.of_program, run));
  if (arguments.verb->has("--limit-steps")) run.limit_steps = arguments.limit_steps;
  if (arguments.verb->has("--limit-seconds")) run.limit_seconds = arguments.gpu.limit_seconds;
  std::fflush(stdout);
  TRY(HostedOutcome outcome, run_program(run, paths));
  if (is_sketch(*outcome.log)) {
    constexpr std::string_view kWhy = "the program allocates nothing and gives its kernels null pointers";
    if (otherwise == WithoutProgram::Nothing)
      return fail(ErrorKind::Compile, fmt::format("{}; --kernels-only takes a kernel alone", kWhy));
    fmt::print(stderr, "note: {}, so a kernel runs alone\n", kWhy);
    return nullptr;
  }
  auto program = std::make_unique<ProgramTrace>(ProgramTrace{
      .folder = std::move(folder), .run = std::move(run), .outcome = std::move(outcome), .device = modelled});
  TRY_VOID(read_launch(*program, arguments));
  return program;
}

Result<std::unique_ptr<ProgramTrace>> trace_launch(const RunArguments& arguments, const Paths& paths,
                                                   ProgramCommand::Output output) {
  TRY(auto program, trace_program(arguments, paths, output, driver::KeptAccesses::All));
  if (!program || program->launch) return program;
  return fail(ErrorKind::Launch,
              fmt::format("{} launched no kernel; its arguments are given after --, and with "
                          "--kernels-only a kernel runs alone",
                          arguments.file));
}

Result<std::unique_ptr<ProgramTrace>> run_launch(const RunArguments& arguments, const Paths& paths,
                                                 ProgramCommand::Output output) {
  TRY(auto program, trace_launch(arguments, paths, output));
  if (!program) return program;
  for (const fs::path& file : files_of(arguments)) {
    auto again = run_again(*program, file, arguments, paths);
    if (!again && again.error().kind == ErrorKind::Cancelled) return std::unexpected(again.error());
    if (!again) continue;
    program->launch = *std::move(again);
    break;
  }
  return program;
}

int report_program(const ProgramTrace& program) {
  const driver::ProgramLog& log = *program.outcome.log;
  const auto print = [](const std::string& sentence) {
    fmt::print(stderr, "{}\n", without_control_characters(sentence));
  };
  print(fmt::format(
      "note: {} was run as the program that it is; a time that it prints is the emulator's, not a GPU's",
      fmt::join(program.run.shown_words, " ")));
  const int status = report_library_failures(log) ? 1 : 0;
  const int launches_status = report_launches(log);
  if (program.launch) report_notes(*program.launch->trace);
  const std::string end = sentence_of(program.outcome.end, program.run);
  if (log.records().empty() && program.outcome.end.cause == ProgramEnd::Cause::Itself)
    print(
        "the program launched no kernel; its arguments are given after --, and with --kernels-only a kernel "
        "runs "
        "alone");
  if (!end.empty()) print(end);
  return end.empty() && !log.records().empty() ? std::max(status, launches_status) : 1;
}

}  // namespace lanescope::shell
