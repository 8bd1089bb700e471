#include "shell/report_sources.h"

#include "base/escape.h"
#include "export/trace_file.h"
#include "pipeline/kernel_choice.h"
#include "pipeline/launch_guess.h"
#include "pipeline/program_run.h"
#include "pipeline/saved_trace.h"
#include "report/launch_report.h"
#include "report/words.h"
#include "shell/hosting/source_program.h"
#include "shell/program_trace.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

/// Adds the launches of one program or kernel to the report.
struct Gathering {
  const RunArguments& arguments;
  const Paths& paths;
  ProgramCommand::Output output;
  report::SourceTexts& sources;
  model::Device device;
  report::Report report = {};
  uint64_t launches = 0;  // of kernels that run alone

  void add(const pipeline::Run& run) {
    report::LaunchReport launch = report::launch_report(run, device, sources, report.language);
    launch.number = static_cast<uint32_t>(1 + launches);
    ++launches;
    report.launches.push_back(std::move(launch));
  }
  /// The further times of the last launch.
  void add_times(const pipeline::Run& run, uint64_t times) {
    const report::LaunchReport rest = report::launch_report(run, device, sources, report.language);
    report::LaunchReport& launch = report.launches.back();
    launch.times += times;
    launches += times;
    launch.all += rest.all;
    for (const report::Finding& finding : rest.findings)
      if (finding.is_hazard) launch.findings.insert(launch.findings.begin(), finding);
  }
  /// In English, as of a program or a check.
  void fail_with(std::string sentence) {
    report.has_failed = true;
    report.problems.push_back({std::move(sentence)});
  }
  void fail_with(report::Note note) {
    report.has_failed = true;
    report.problems.push_back(std::move(note));
  }
  /// A sentence of the report's own.
  template <class... Arguments>
  report::Note note(report::Words words, const Arguments&... values) const {
    return {report::said(report.language, words, values...), report.language};
  }
};

trace::LaunchCost cost_of(const pipeline::ProgramLaunch& launch) {
  return {launch.requests, launch.sectors, launch.ideal_sectors, launch.wavefronts, launch.ideal_wavefronts};
}

/// The launches of a program that are alike: of one kernel and shape.
struct Alike {
  const pipeline::ProgramLaunch* shown = nullptr;  // the first whose accesses were kept, else the first
  uint64_t times = 0;
  trace::LaunchCost all;
};

/// Whether --kernel and --launch mean the launch; without them all are meant.
bool is_meant(const pipeline::ProgramLaunch& launch, const RunArguments& arguments) {
  if (arguments.launch != 0) return launch.number == arguments.launch - 1;
  return arguments.kernel.empty() || launch.entry == arguments.kernel ||
         pipeline::is_name_of_kernel(arguments.kernel, launch.kernel);
}

std::vector<Alike> alike_launches(const pipeline::ProgramRun& run, const RunArguments& arguments) {
  std::vector<Alike> all;
  for (const pipeline::ProgramLaunch& launch : run.launches) {
    if (!is_meant(launch, arguments)) continue;
    const auto same = std::ranges::find_if(all, [&](const Alike& one) {
      return one.shown->kernel == launch.kernel && one.shown->entry == launch.entry &&
             one.shown->grid == launch.grid && one.shown->block == launch.block;
    });
    Alike& alike = same == all.end() ? all.emplace_back(&launch) : *same;
    if (alike.shown->file.empty() && !launch.file.empty()) alike.shown = &launch;
    ++alike.times;
    alike.all += cost_of(launch);
  }
  return all;
}

Result<report::LaunchReport> launch_of(const Alike& alike, const pipeline::ProgramRun& run,
                                       Gathering& gathering) {
  const pipeline::ProgramLaunch& shown = *alike.shown;
  report::LaunchReport launch{.kernel = shown.kernel, .grid = shown.grid, .block = shown.block};
  if (shown.file.empty()) {
    launch.cost = cost_of(shown);
    launch.bound_missing = gathering.note(report::Words::no_time_not_kept);
  } else {
    TRY(trace::Trace trace, exporting::read_trace(shown.file));
    launch = report::launch_report(*pipeline::run_of_trace(std::move(trace), gathering.device, run.sources),
                                   gathering.device, gathering.sources, gathering.report.language);
  }
  if (shown.matched) {
    launch.level = trace::CountLevel::MachineCode;
    launch.matched = shown.matched;
  } else if (gathering.arguments.level == "sass") {
    launch.notes.push_back(gathering.note(report::Words::ptx_counted));
  }
  launch.number = shown.number + 1;
  launch.times = alike.times;
  launch.all = alike.all;
  if (shown.sampled_blocks != 0)
    launch.notes.push_back(gathering.note(report::Words::sampled, shown.sampled_blocks));
  return launch;
}

/// The launches that a program left in a folder.
Result<void> add_program(const fs::path& folder, Gathering& gathering) {
  TRY(const pipeline::ProgramRun run, pipeline::read_program_run(folder));
  if (gathering.report.title.empty()) gathering.report.title = fmt::to_string(fmt::join(run.command, " "));
  const std::vector<Alike> alike_ones = alike_launches(run, gathering.arguments);
  if (alike_ones.empty() && !run.launches.empty())
    return fail(ErrorKind::Usage,
                "the program has no launch that --kernel or --launch means; leave them out");
  for (const Alike& alike : alike_ones) {
    TRY(report::LaunchReport launch, launch_of(alike, run, gathering));
    const bool has_hazard = std::ranges::any_of(launch.findings, &report::Finding::is_hazard);
    if (!alike.shown->error.empty() && !has_hazard)
      gathering.fail_with(
          fmt::format("{} (launch {}): {}", launch.kernel, launch.number, alike.shown->error));
    gathering.report.launches.push_back(std::move(launch));
  }
  if (run.launches.empty()) gathering.fail_with(gathering.note(report::Words::no_kernel));
  return {};
}

/// A program that ends with a status has failed, unless a hazard of a kernel made it end.
void add_end(const ProgramEnd& end, const HostedRun& run, Gathering& gathering) {
  const std::string sentence = sentence_of(end, run);
  if (sentence.empty()) return;
  const bool has_hazard =
      std::ranges::any_of(gathering.report.launches, [](const report::LaunchReport& launch) {
        return std::ranges::any_of(launch.findings, &report::Finding::is_hazard);
      });
  if (has_hazard)
    gathering.report.notes.push_back({sentence});
  else
    gathering.fail_with(sentence);
}

/// A program that is no source: `report -- python notebook.py`.
Result<void> add_command(const std::vector<std::string>& words, Gathering& gathering) {
  const RunArguments& arguments = gathering.arguments;
  TRY(const TemporaryFolder folder, TemporaryFolder::make("report"));
  HostedRun run;
  run.command.words = words;
  run.command.output = gathering.output;
  run.folder = folder.path();
  run.threads = arguments.threads;
  if (arguments.level == "sass") run.level = trace::CountLevel::MachineCode;
  if (!arguments.device.empty()) run.device = device_seen(gathering.device, arguments.device);
  TRY_VOID(apply(arguments.of_program, run));
  if (arguments.verb->has("--limit-steps")) run.limit_steps = arguments.limit_steps;
  if (arguments.verb->has("--limit-seconds")) run.limit_seconds = arguments.gpu.limit_seconds;
  std::fflush(stdout);
  TRY(const HostedOutcome outcome, run_program(run, gathering.paths));
  gathering.report.title = fmt::to_string(fmt::join(words, " "));
  TRY_VOID(add_program(folder.path(), gathering));
  add_end(outcome.end, run, gathering);
  return {};
}

/// The kernels of a file that can be run, those of its headers too that the file launches, if no option means
/// one or its launch; else one without a name.
Result<std::vector<std::string>> kernels_of(const Gathering& gathering) {
  const RunArguments& arguments = gathering.arguments;
  const fs::path file(arguments.file);
  for (const char* option : {"--kernel", "--grid", "--block", "--shared", "--arg", "--then"})
    if (arguments.verb->has(option)) return std::vector<std::string>{arguments.kernel};
  if (!arguments.lesson.empty() || file.extension() != ".cu") return std::vector<std::string>{""};
  TRY(const pipeline::Job job,
      pipeline::text_job_of_file(file, "", file_options(arguments, gathering.paths)));
  TRY(const auto kernels, pipeline::JobCompiler(session_options(gathering.paths)).kernels(job));
  std::vector<std::string> names;
  for (const pipeline::ListedKernel* kernel : pipeline::in_order(kernels))
    if (!kernel->is_of_header || !kernel->launches.empty())
      names.push_back(pipeline::choosing_name(kernels, *kernel));
  return names.size() > 1 ? names : std::vector<std::string>{""};
}

/// Makes a launch that is made several times two: the first time, whose lines are reported, and the others.
/// Returns of each launch whether it is the others of the one before.
std::vector<bool> separate_first_times(Request& request) {
  std::vector<bool> is_rest;
  for (size_t n = 0; n < request.steps.size(); ++n) {
    is_rest.push_back(false);
    if (request.steps[n].times < 2) continue;
    request.steps.insert(request.steps.begin() + static_cast<std::ptrdiff_t>(n), request.steps[n]);
    if (n < request.launches.launches.size())
      request.launches.launches.insert(request.launches.launches.begin() + static_cast<std::ptrdiff_t>(n),
                                       request.launches.launches[n]);
    request.steps[n].times = 1;
    --request.steps[++n].times;
    is_rest.push_back(true);
  }
  return is_rest;
}

/// One kernel alone, or launches of a file of launches or of a lesson, at the level of the arguments.
Result<void> add_kernel_of(RunArguments arguments, Gathering& gathering) {
  arguments.caches = gathering.device.caches.has_value() && arguments.producer != "gpu";
  TRY(Request request, request_of(arguments, gathering.paths));
  const std::vector<bool> is_rest = separate_first_times(request);
  pipeline::Options options = session_options(gathering.paths);
  options.threads = arguments.threads;
  Progress progress;  // before the threads of `execution`, which must not take Ctrl-C from it
  pipeline::Execution execution(std::move(options));
  TRY(const Finished finished,
      run_request(arguments, gathering.paths, std::move(request), execution, progress));
  auto runs = finished.earlier;
  runs.push_back(finished.run);
  // With --launch the launches before it are made for what they leave.
  const size_t first = arguments.launch == 0 ? 0 : runs.size() - 1 - (is_rest[runs.size() - 1] ? 1 : 0);
  gathering.launches += first;
  for (size_t n = first; n < runs.size(); ++n)
    is_rest[n] ? gathering.add_times(*runs[n], finished.request.steps[n].times) : gathering.add(*runs[n]);
  // A guess is of one launch alone.
  if (finished.request.launches.launches.size() == 1)
    if (const auto& launch = finished.request.launches.launches.front(); launch.guess.is_any()) {
      std::vector<report::Note>& notes = gathering.report.launches.back().notes;
      notes.insert(notes.begin(), gathering.note(is_of_host_code(launch) ? report::Words::guessed_contents
                                                                         : report::Words::guessed_launch,
                                                 pipeline::options_text(launch)));
    }
  if (finished.run->output_correct == false) gathering.fail_with(gathering.note(report::Words::wrong_output));
  return {};
}

/// The same; the PTX is counted where the machine code is not known, as without ptxas.
Result<void> add_kernel(const std::string& kernel, Gathering& gathering) {
  RunArguments arguments = gathering.arguments;
  arguments.kernel = kernel;
  const auto added = add_kernel_of(arguments, gathering);
  if (added || arguments.level == "ptx" || added.error().kind == ErrorKind::Cancelled) return added;
  arguments.level = "ptx";
  if (!add_kernel_of(arguments, gathering)) return added;
  std::vector<report::Note>& notes = gathering.report.launches.back().notes;
  notes.push_back(gathering.note(report::Words::ptx_counted));
  notes.push_back({describe(added.error())});
  return {};
}

Result<void> add_kernels(Gathering& gathering) {
  TRY(const std::vector<std::string> kernels, kernels_of(gathering));
  if (has_main({gathering.arguments.file}))
    gathering.report.notes.push_back(gathering.note(report::Words::host_not_run));
  if (kernels.size() == 1) return add_kernel(kernels.front(), gathering);
  std::vector<report::Note> not_run;
  for (const std::string& kernel : kernels) {
    const auto added = add_kernel(kernel, gathering);
    if (added) continue;
    if (added.error().kind == ErrorKind::Cancelled) return added;
    not_run.push_back(gathering.note(report::Words::kernel_not_run, kernel, describe(added.error())));
  }
  if (gathering.report.launches.empty())
    return fail(ErrorKind::Launch,
                fmt::format("no kernel of the file could be run; {}", not_run.front().text));
  std::ranges::move(not_run, std::back_inserter(gathering.report.notes));
  return {};
}

Result<void> add_trace(Gathering& gathering) {
  TRY(trace::Trace trace, exporting::read_trace(gathering.arguments.file));
  gathering.add(*pipeline::run_of_trace(std::move(trace), gathering.device));
  return {};
}

Result<void> gather(Gathering& gathering) {
  const RunArguments& arguments = gathering.arguments;
  gathering.report.title = arguments.lesson.empty()
                               ? arguments.file
                               : gathering.note(report::Words::lesson, arguments.lesson).text;
  if (arguments.file.empty() && arguments.lesson.empty()) {
    const std::vector<std::string> words = words_of(arguments.program);
    if (words.empty())
      return fail(
          ErrorKind::Usage,
          "what to report is missing: a source (.cu), PTX, launches (.toml), a saved trace (.lane), the "
          "folder of a run, or a program after --");
    return add_command(words, gathering);
  }
  if (pipeline::is_program_run(arguments.file)) {
    if (arguments.verb->has("--level"))
      return fail(ErrorKind::Usage,
                  fmt::format("{} has the counts of the level that it was saved at; leave out "
                              "--level",
                              arguments.file));
    return add_program(arguments.file, gathering);
  }
  if (fs::path(arguments.file).extension() == ".lane") return add_trace(gathering);
  TRY(const auto program,
      trace_program(arguments, gathering.paths, gathering.output, driver::KeptAccesses::All));
  if (!program) return add_kernels(gathering);
  gathering.report.title = fmt::to_string(fmt::join(program->run.shown_words, " "));
  TRY_VOID(add_program(program->folder.path(), gathering));
  for (const std::string& note : program->outcome.log->notes()) gathering.report.notes.push_back({note});
  add_end(program->outcome.end, program->run, gathering);
  return {};
}

}  // namespace

Result<report::Report> report_of(const RunArguments& arguments, const Paths& paths,
                                 ProgramCommand::Output output, Language language,
                                 report::SourceTexts& sources) {
  TRY(model::Device device, device_with_sectors(arguments, paths, "a report"));
  TRY_VOID(check_level(arguments));
  Gathering gathering{arguments, paths, output, sources, std::move(device)};
  gathering.report.language = language;
  TRY_VOID(gather(gathering));
  gathering.report.device = gathering.device.title;
  return std::move(gathering.report);
}

void shorten_names(report::Report& report, const fs::path& folder) {
  const auto shorten = [&](std::vector<report::Note>& notes) {
    for (report::Note& note : notes) note.text = report::sentence_below(folder, std::move(note.text));
  };
  shorten(report.notes);
  shorten(report.problems);
  for (std::string& unused : report.unused_suppressions)
    unused = report::sentence_below(folder, std::move(unused));
  for (report::LaunchReport& launch : report.launches) shorten(launch.notes);
  for (report::LaunchReport& launch : report.launches) {
    for (report::LineCost& line : launch.lines)
      line.source.where.file = report::name_below(folder, line.source.where.file);
    for (report::Finding& finding : launch.findings) {
      finding.source.where.file = report::name_below(folder, finding.source.where.file);
      if (finding.suppressed) finding.suppressed->by = report::name_below(folder, finding.suppressed->by);
    }
  }
}

}  // namespace lanescope::shell
