// `lanescope run`: a program that uses CUDA, unchanged and with no GPU: its launches run in the emulator. Or
// on a GPU, where chosen launches are captured and repeated in the emulator.

#include "base/escape.h"
#include "driver/messages.h"
#include "pipeline/program_run.h"
#include "shell/hosting/hosted_program.h"
#include "shell/hosting/hosted_run.h"
#include "shell/hosting/source_program.h"
#include "shell/kernel_spec.h"
#include "shell/output_arguments.h"
#include "shell/program_options.h"
#include "shell/run_arguments.h"
#include "shell/verbs.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

struct HostingArguments {
  std::vector<std::string> words;  // the program and its arguments
  std::string joined;              // the same, where they came after --
  pipeline::FileOptions compile;   // of the source files
  std::string device;              // empty: the usual one
  uint32_t devices = 1;
  std::string keep = "first";
  bool keeps_inputs = false;
  std::string level = "ptx";
  bool caches = false;
  bool flush = false;
  std::string producer = "emulator";
  std::vector<std::string> capture;
  std::string save;
  bool window = false;
  bool kernel_spec = false;
  ProgramOptions of_program;
  unsigned threads = 0;
  uint32_t limit_seconds = 0;
  uint64_t limit_steps = emulator::kDefaultLimitSteps;
  JsonArgument json;
  std::optional<Verb> verb;
};

driver::KeptLaunches kept_launches(const std::string& word) {
  if (word == "all") return driver::KeptLaunches::All;
  return word == "none" ? driver::KeptLaunches::None : driver::KeptLaunches::First;
}

/// The folder of the run: a new one, or one that has no run yet.
Result<fs::path> make_folder(const HostingArguments& arguments, const Paths& paths) {
  const bool is_needed = arguments.window || !arguments.capture.empty();
  const bool is_automatic = arguments.save == "auto" || (arguments.save.empty() && is_needed);
  if (arguments.save.empty() && !is_automatic) return fs::path();
  if (is_automatic) return make_run_folder(paths);
  const fs::path wanted = arguments.save;
  std::error_code problem;
  if (pipeline::is_program_run(wanted))
    return fail(ErrorKind::File, "there is a run in this folder already; name another one with --save",
                Location{wanted.string(), 0});
  fs::create_directories(wanted, problem);
  if (problem)
    return fail(ErrorKind::File, fmt::format("the folder cannot be made: {}", problem.message()),
                Location{wanted.string(), 0});
  return fs::absolute(wanted, problem);
}

/// Options of the emulator and of a GPU that do not go together.
Result<void> check_producer(const HostingArguments& arguments) {
  if (arguments.producer != "gpu" && !arguments.capture.empty())
    return fail(
        ErrorKind::Usage,
        "--capture needs --producer gpu; in the emulator --keep chooses the launches whose accesses are "
        "kept");
  if (arguments.keeps_inputs && (arguments.save.empty() || arguments.producer == "gpu"))
    return fail(ErrorKind::Usage,
                "--keep-inputs keeps files beside the accesses of emulated launches; add --save FOLDER");
  if (arguments.devices == 0 || arguments.devices > kLanescopeMostDevices)
    return fail(ErrorKind::Usage, fmt::format("--devices is from 1 to {}, {} was given",
                                              static_cast<int>(kLanescopeMostDevices), arguments.devices));
  if (arguments.flush && !arguments.caches)
    return fail(ErrorKind::Usage, "--flush empties the modelled L2 before each launch: it needs --caches");
  if (arguments.caches && arguments.devices != 1)
    return fail(ErrorKind::Usage, "--caches models one device, and --devices shows several: leave one out");
  if (arguments.producer != "gpu") return {};
  if (arguments.caches)
    return fail(ErrorKind::Usage, "--caches is an option of the emulator; on a GPU its own are at work");
  if (arguments.devices != 1)
    return fail(ErrorKind::Usage,
                "--devices is of the emulator; with --producer gpu the program sees this machine's GPUs");
  if (arguments.verb->has("--device"))
    return fail(
        ErrorKind::Usage,
        "--device is what the emulator shows; with --producer gpu the program sees the GPU: leave it out");
  if (arguments.verb->has("--level") && arguments.capture.empty())
    return fail(
        ErrorKind::Usage,
        "--level is of emulated launches, which are those of --capture with --producer gpu: leave it out");
  if (arguments.verb->has("--keep"))
    return fail(
        ErrorKind::Usage,
        "--keep chooses among the launches of the emulator; with --producer gpu use --capture KERNEL");
  return {};
}

/// The modelled caches are those of an H100 or H200.
std::string device_of(const HostingArguments& arguments) {
  if (!arguments.device.empty()) return arguments.device;
  return arguments.caches ? kDeviceOfSources : kDeviceOfPrograms;
}

Result<HostedRun> hosted_run(const HostingArguments& arguments, const Paths& paths) {
  TRY_VOID(check_producer(arguments));
  HostedRun run{.command = {.words = arguments.words,
                            .output = arguments.json.on_standard_output() ? ProgramCommand::Output::Error
                                                                          : ProgramCommand::Output::Output},
                .device = device_of(arguments),
                .devices = arguments.devices,
                .runs_on_gpu = arguments.producer == "gpu",
                .keeps = kept_launches(arguments.keep),
                .most_input_bytes = arguments.keeps_inputs ? kMostInputBytes : 0,
                .captures = arguments.capture,
                .opens_window = arguments.window,
                .is_reported = !arguments.json.on_standard_output(),
                .threads = arguments.threads,
                .limit_steps = arguments.limit_steps,
                .limit_seconds = arguments.limit_seconds,
                .models_caches = arguments.caches,
                .flushes_l2 = arguments.flush,
                .level = arguments.level == "sass" ? trace::CountLevel::MachineCode : trace::CountLevel::Ptx};
  TRY_VOID(apply(arguments.of_program, run));
  TRY(run.folder, make_folder(arguments, paths));
  return run;
}

/// Makes the command a program's that was compiled from the sources among the words.
Result<void> compile_sources(const HostingArguments& arguments, const Paths& paths, HostedRun& run) {
  SourceProgram source{.files = {}, .arguments = {}, .options = arguments.compile};
  source.options.cache = paths.cache;
  for (const std::string& word : arguments.words)
    (is_source_file(word) ? source.files.emplace_back(word).native() : source.arguments.emplace_back(word));
  const std::vector<std::string> more = words_of(arguments.joined);
  source.arguments.insert(source.arguments.end(), more.begin(), more.end());
  if (arguments.device.empty()) run.device = kDeviceOfSources;
  return compile_source(source, paths, run);
}

Result<int> run(const HostingArguments& arguments, const Paths& paths) {
  if (arguments.words.empty())
    return fail(
        ErrorKind::Usage,
        "the program to run is missing; give it after --, as in 'lanescope run -- python notebook.py', "
        "or a source file, as in 'lanescope run program.cu'");
  TRY(HostedRun wanted, hosted_run(arguments, paths));
  if (is_source_file(arguments.words.front())) TRY_VOID(compile_sources(arguments, paths, wanted));
  TRY(const HostedOutcome outcome, run_program(wanted, paths));
  const driver::ProgramLog& log = *outcome.log;
  if (arguments.json.given()) TRY_VOID(write_report(arguments.json, log.text()));
  if (!arguments.json.on_standard_output()) print_report(log);
  const bool ended_itself = outcome.end.cause == ProgramEnd::Cause::Itself;
  if (!ended_itself || !signal_text(outcome.end.status).empty())
    fmt::print(stderr, "{}\n", without_control_characters(sentence_of(outcome.end, wanted)));
  if (!ended_itself) return 1;
  const bool has_failed =
      std::ranges::any_of(log.library_calls(), [](const auto& calls) { return calls.failed > 0; });
  return has_failed ? std::max(outcome.end.status, 1) : outcome.end.status;
}

}  // namespace

void add_run_verb(const Verb& program, Action& action) {
  const Verb verb = program.add_verb(
      "run",
      "run a program that uses CUDA, with no GPU: Python with Numba or Triton, a notebook, a compiled one");
  auto arguments = std::make_shared<HostingArguments>();
  arguments->verb = verb;
  verb.add("PROGRAM", arguments->words,
           "the program and its arguments, after --: -- python notebook.py; or its source files (.cu, .cpp), "
           "which "
           "nvcc compiles first");
  verb.add("--program", arguments->joined, "").hidden();
  add_compile_options(verb, arguments->compile);
  verb.add("--device", arguments->device, "which GPU the program sees: a name of assets/devices, or a file");
  verb.add("--devices", arguments->devices,
           "how many of these GPUs the program sees (default: 1); they share the memory of this machine");
  verb.add("--keep", arguments->keep,
           "which launches are checked for races, and their accesses kept: the first of each kernel and "
           "shape, all, "
           "or none")
      .one_of({"first", "all", "none"});
  verb.add("--keep-inputs", arguments->keeps_inputs,
           "also keep what each of these launches was given: a file that 'lanescope trace' runs, and the "
           "contents of its buffers (at most 256 MiB for all); needs --save");
  verb.add("--level", arguments->level,
           "ptx (default): launches count the accesses of the PTX; or sass: those of the machine code that "
           "the "
           "ptxas of a toolkit makes of it, for the device's architecture")
      .one_of({"ptx", "sass"});
  verb.add("--caches", arguments->caches,
           "also model the caches of the device, H200 by default, the L2 as the launch before left it: hit "
           "rates, what the "
           "DRAM reads, and the time that each kernel needs at least");
  verb.add("--flush", arguments->flush, "with --caches: each launch finds an empty L2, as under a profiler");
  verb.add("--producer", arguments->producer,
           "emulator (default), or gpu: the program runs on this machine's GPU and its launches are timed "
           "there")
      .one_of({"emulator", "gpu"});
  verb.add("--capture", arguments->capture,
           "KERNEL[:N]: with --producer gpu repeat the N-th launch of the kernel, counted from 0 (default), "
           "in "
           "the emulator, keep its accesses, and compare the memory after it with the GPU's")
      .repeatable();
  verb.add("--save", arguments->save,
           "a folder for run.json and the accesses of the launches, a .lane file each; auto: a new one");
  verb.add("--window", arguments->window, "show the launches in the window while the program runs");
  verb.add("--kernel-spec", arguments->kernel_spec,
           "add the kernel 'Python 3 (Lanescope)' to Jupyter, whose cells run this way");
  verb.add("--threads", arguments->threads, "of the emulator; 0: one per core");
  verb.add("--limit-steps", arguments->limit_steps, "warp instructions after which a launch is stopped");
  verb.add("--limit-seconds", arguments->limit_seconds,
           "seconds after which the program is ended (default: none)");
  add_program_options(verb, arguments->of_program);
  add_json_argument(verb, arguments->json);
  verb.on_chosen([arguments, &action] {
    action = [arguments](const Paths& paths) -> Result<int> {
      if (arguments->words.empty()) arguments->words = words_of(std::exchange(arguments->joined, {}));
      if (arguments->kernel_spec) return write_kernel_spec(paths, arguments->words);
      return run(*arguments, paths);
    };
  });
}

}  // namespace lanescope::shell
