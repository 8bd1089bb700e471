// `lanescope time`: measures a kernel, or all kernels of a lesson, on this machine's GPU or that of --host:
// seconds, bandwidth, and a plain copy for comparison; then, if permitted, the hardware counters of a launch.
// The emulator counts the bytes that the lanes request; its counts are printed next to the times.

#include "export/export.h"
#include "shell/gpu_report.h"
#include "shell/time_report.h"
#include "shell/verbs.h"
#include "trace/traffic.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

uint64_t useful_bytes(const trace::Trace& trace) {
  uint64_t bytes = 0;
  for (const trace::Traffic traffic : trace::kAllTraffic)
    bytes += trace::total_of(trace, trace::Space::Global, traffic).bytes;
  return bytes;
}

gpu::TimingOptions options_of(const TimeArguments& arguments) {
  return {.repetitions = arguments.repetitions,
          .l2 = arguments.l2 == "warm" ? gpu::TimingOptions::Cache::Warm : gpu::TimingOptions::Cache::Cold};
}

/// A kernel that is to be timed.
struct Wanted {
  std::string name;  // the lesson's name of the kernel, or empty
  RunArguments arguments;
  Request request;
};

/// What of a run the report needs: not the contents of its buffers, which may be gigabytes.
std::shared_ptr<const pipeline::Run> without_contents(const pipeline::Run& run) {
  auto light = std::make_shared<pipeline::Run>(run);
  light->buffers.clear();
  return light;
}

Result<Timed> time_one(Wanted wanted, const TimeArguments& arguments, const Paths& paths,
                       pipeline::Execution& execution, Progress& progress, gpu::Gpu& gpu) {
  TRY(Finished finished,
      run_request(wanted.arguments, paths, std::move(wanted.request), execution, progress));
  finished.run = without_contents(*finished.run);
  if (!finished.run->trace->hazards.empty()) {
    const trace::Hazard& hazard = finished.run->trace->hazards.front();
    return fail(ErrorKind::Hazard, "the kernel is not timed because of a hazard: " + hazard.message,
                hazard.where);
  }
  Timed timed{.name = std::move(wanted.name),
              .finished = std::move(finished),
              .useful_bytes = 0,
              .timing = {},
              .copy = {}};
  const pipeline::Run& of_emulator = *timed.finished.run;
  timed.useful_bytes = useful_bytes(*of_emulator.trace);
  const gpu::Kernel kernel{of_emulator.ptx_text, of_emulator.source_name, of_emulator.entry};
  progress.begin(fmt::format("{}: timed on the GPU", of_emulator.kernel), 0);
  TRY(timed.timing, gpu.time(kernel, *of_emulator.launch, options_of(arguments)));
  TRY(timed.copy, gpu.time_copy(std::max<uint64_t>(timed.useful_bytes / 2, 1), options_of(arguments)));
  return timed;
}

/// After the times, since a profiled context is slower. Without counters only the times are reported.
void count_all(Measured& measured, Progress& progress, gpu::Gpu& gpu) {
  for (Timed& timed : measured.kernels) {
    const pipeline::Run& run = *timed.finished.run;
    progress.begin(fmt::format("{}: counters of the GPU", run.kernel), 0);
    auto counts = gpu.count({run.ptx_text, run.source_name, run.entry}, *run.launch, gpu::Filling::Initial);
    if (counts)
      timed.counts = *counts;
    else
      measured.no_counts = counts.error().message;
    if (!counts && counts.error().kind == ErrorKind::Unsupported) return;  // nor any other
  }
}

/// All kernels of a lesson with its current toggles, or the one that was chosen.
Result<std::vector<std::pair<std::string, RunArguments>>> kernels_of(RunArguments arguments,
                                                                     const Paths& paths) {
  const auto chosen =
      std::ranges::find_if(arguments.set, [](const std::string& set) { return set.starts_with("kernel="); });
  arguments.blocks = "none";
  arguments.checks = "none";
  if (arguments.lesson.empty()) return std::vector{std::pair{std::string(), arguments}};
  if (chosen != arguments.set.end()) return std::vector{std::pair{chosen->substr(7), arguments}};
  TRY(const lesson::Lesson lesson, lesson::find_lesson(paths.assets / "lessons", arguments.lesson));
  std::vector<std::pair<std::string, RunArguments>> all;
  for (const lesson::Kernel& kernel : lesson.kernels) {
    RunArguments one = arguments;
    one.set.insert(one.set.begin(), "kernel=" + kernel.name);
    all.emplace_back(kernel.name, std::move(one));
  }
  return all;
}

/// Their requests, which share the contents of buffers where they are the same.
Result<std::vector<Wanted>> wanted_of(const RunArguments& arguments, const Paths& paths) {
  TRY(auto kernels, kernels_of(arguments, paths));
  std::vector<Wanted> wanted;
  for (auto& [name, run] : kernels) {
    TRY(Request request,
        request_of(run, paths, wanted.empty() ? nullptr : wanted.back().request.job().launch.get()));
    if (request.steps.size() > 1)
      return fail(ErrorKind::Usage, "time measures one launch; give a file with one, without --then");
    request.job().expected.reset();  // to compare a gigabyte takes longer than the kernel
    wanted.push_back({std::move(name), std::move(run), std::move(request)});
  }
  return wanted;
}

Result<int> time_kernels(const TimeArguments& arguments, const Paths& paths) {
  Progress progress;
  progress.begin("the buffers are filled", 0);
  // Errors in the arguments are reported before errors of the machine.
  TRY(std::vector<Wanted> all, wanted_of(arguments.run, paths));
  TRY(const auto gpu, choose_gpu(arguments.run.gpu, paths));
  TRY(const gpu::Description description, gpu->describe());
  recordings::Recording recording;
  describe_gpu(description, recording);
  Measured measured;
  pipeline::Options options = session_options(paths);
  options.threads = arguments.run.threads;
  pipeline::Execution execution(std::move(options));
  for (Wanted& wanted : all) {
    TRY(Timed timed, time_one(std::move(wanted), arguments, paths, execution, progress, *gpu));
    if (timed.name.empty()) timed.name = timed.finished.run->kernel;
    measured.kernels.push_back(std::move(timed));
  }
  count_all(measured, progress, *gpu);
  if (arguments.json.given())
    TRY_VOID(write_report(arguments.json, time_report(measured, recording, arguments)));
  else
    print_times(measured, recording, arguments);
  return 0;
}

}  // namespace

void add_time_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<TimeArguments>();
  const Verb verb = program.add_verb("time", "time a kernel, or all of a lesson's, on this machine's GPU");
  add_run_arguments(verb, arguments->run);
  add_json_argument(verb, arguments->json);
  verb.add("--l2", arguments->l2,
           "cold (default): before each launch the L2 is flushed; or warm: all buffers were just read")
      .one_of({"cold", "warm"});
  verb.add("--repetitions", arguments->repetitions, "launches that are timed (default: 21)")
      .between(1, 10000);
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return time_kernels(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
