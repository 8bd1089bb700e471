#include "shell/run_arguments.h"

#include "base/escape.h"
#include "launch/argument_spec.h"
#include "launch/number.h"
#include "pipeline/guessed_run.h"
#include "pipeline/launch_guess.h"
#include "pipeline/sequence.h"
#include "shell/gpu_producer.h"
#include "shell/hosting/source_program.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::shell {

pipeline::FileOptions file_options(const RunArguments& arguments, const Paths& paths) {
  pipeline::FileOptions options = arguments.compile;
  options.cache = paths.cache;
  return options;
}

pipeline::CompilerOptions compiler_options(const pipeline::FileOptions& options) {
  return {.defines = options.defines, .standard = options.standard, .more = options.compiler_options};
}

namespace {

Result<pipeline::Job> lesson_job(const RunArguments& arguments, const Paths& paths,
                                 const launch::Launch* previous) {
  TRY(const ChosenLesson chosen, lesson_of(arguments, paths));
  return pipeline::job_of(chosen.lesson, chosen.settings, session_options(paths), previous);
}

/// Errors: Usage, with the option's name.
Result<void> check_extent(std::string_view option, const std::string& text) {
  const auto extent = launch::parse_dim3(text);
  if (extent) return {};
  return fail(ErrorKind::Usage, fmt::format("{}: {}", option, extent.error().message));
}

/// A launch of the command line after --then, whose words are KERNEL and options; the grid and block of the
/// launch before it are the default.
Result<pipeline::LaunchText> parse_then(std::string_view joined, const pipeline::LaunchText& before) {
  const std::vector<std::string> words = words_of(joined);
  if (words.empty() || words.front().starts_with('-'))
    return fail(ErrorKind::Usage,
                "--then takes the kernel of a further launch, then its --grid, --block, --shared, --arg and "
                "--times, for example --then add --grid 4 --arg x --arg i32:5");
  pipeline::LaunchText launch;
  launch.file = before.file;
  launch.kernel = words.front();
  launch.grid = before.grid;
  launch.block = before.block;
  for (size_t n = 1; n + 1 < words.size(); n += 2) {
    const std::string& value = words[n + 1];
    if (words[n] == "--grid" || words[n] == "--block") TRY_VOID(check_extent(words[n], value));
    if (words[n] == "--grid") launch.grid = value;
    if (words[n] == "--block") launch.block = value;
    if (words[n] == "--arg") launch.arguments.push_back(value);
    if (words[n] != "--shared" && words[n] != "--times") continue;
    TRY(const uint64_t number, launch::parse_count(words[n], value));
    (words[n] == "--shared" ? launch.shared_bytes : launch.times) = number;
  }
  if (words.size() % 2 == 0)
    return fail(ErrorKind::Usage,
                fmt::format("{} after --then {} takes a value", words.back(), words.front()));
  if (launch.times == 0) return fail(ErrorKind::Usage, "--times is at least 1");
  return launch;
}

/// Says which kernel of several was chosen, and how to choose another.
void print_choice(std::span<const pipeline::ListedKernel> kernels, const pipeline::GuessedLaunch& chosen) {
  std::vector<std::string> others;
  for (const pipeline::ListedKernel& other : kernels)
    if (&other != chosen.kernel)
      others.push_back(fmt::format("'{}'", pipeline::choosing_name(kernels, other)));
  if (others.empty()) return;
  fmt::print(stderr, "note: this is '{}'{}; --kernel NAME chooses another: {}\n", chosen.text.kernel,
             chosen.kernel->launches.empty() ? "" : ", which the host code launches first",
             without_control_characters(fmt::format("{}", fmt::join(others, ", "))));
}

/// Chooses a kernel if none was named, and guesses the parts of its launch that were not given.
Result<void> complete_first(pipeline::LaunchText& first, const RunArguments& arguments, const Paths& paths) {
  if (first.block.empty() || first.arguments.empty() || arguments.kernel.empty()) {
    TRY(const pipeline::Job job,
        pipeline::text_job_of_file(arguments.file, arguments.kernel, file_options(arguments, paths)));
    TRY(const auto kernels, pipeline::JobCompiler(session_options(paths)).kernels(job));
    // Where no kernel is meant, the run says what is wrong.
    if (auto guess = pipeline::guess_launch(kernels, first)) {
      if (guess->problem) return std::unexpected(*std::move(guess->problem));
      if (arguments.kernel.empty()) print_choice(kernels, *guess);
      first = std::move(guess->text);
    }
  }
  if (first.block.empty()) first.block = "1";
  if (first.grid.empty()) first.grid = "1";
  return {};
}

/// The launches that the command line describes itself.
Result<pipeline::LaunchFile> launches_of(const RunArguments& arguments, const Paths& paths) {
  pipeline::LaunchText first;
  first.file = arguments.file;
  first.kernel = arguments.kernel;
  first.grid = arguments.grid;
  first.block = arguments.block;
  first.shared_bytes = arguments.shared_bytes;
  first.arguments = arguments.arguments;
  if (!first.grid.empty()) TRY_VOID(check_extent("--grid", first.grid));
  if (!first.block.empty()) TRY_VOID(check_extent("--block", first.block));
  TRY_VOID(complete_first(first, arguments, paths));
  pipeline::LaunchFile launches;
  launches.launches.push_back(std::move(first));
  for (const std::string& words : arguments.then) {
    TRY(launches.launches.emplace_back(), parse_then(words, launches.launches.back()));
  }
  for (const pipeline::LaunchText& launch : launches.launches)
    if (launch.shared_bytes > 0xffffffffu)
      return fail(ErrorKind::Usage,
                  fmt::format("--shared {} is more shared memory than any device has", launch.shared_bytes));
  return launches;
}

Result<pipeline::LaunchFile> launches_in_file(const RunArguments& arguments) {
  for (const char* option : {"--grid", "--block", "--shared", "--arg", "--kernel", "--then"})
    if (arguments.verb->has(option))
      return fail(ErrorKind::Usage,
                  fmt::format("{} cannot be used with a launch file, which says it for each launch", option));
  return pipeline::read_launch_file(arguments.file);
}

/// What of a launch that was guessed it is now, and which sizes the kernel needed.
void print_guess(const pipeline::LaunchText& launch, const std::vector<pipeline::Enlarged>& enlarged) {
  if (!launch.guess.is_any()) return;
  std::string note = "note: " + guess_words(launch);
  if (!enlarged.empty()) note += "\nnote: " + pipeline::sentence_of(enlarged);
  fmt::print(stderr, "{}\n", without_control_characters(note));
}

/// `request` gets its steps, and their launches as text.
Result<void> add_file_steps(Request& request, const RunArguments& arguments, const Paths& paths) {
  if (arguments.file.empty())
    return fail(ErrorKind::Usage, "nothing to run; give a file (kernel.cu, kernel.ptx) or --lesson NAME");
  if (!arguments.set.empty())
    return fail(ErrorKind::Usage, "--set changes a toggle of a lesson; for a file use -D NAME=VALUE");
  const bool is_launch_file = arguments.file.ends_with(".toml");
  TRY(pipeline::LaunchFile launches,
      is_launch_file ? launches_in_file(arguments) : launches_of(arguments, paths));
  for (const std::string& constant : arguments.constants) {
    const size_t equals = constant.find('=');
    if (equals == std::string::npos)
      return fail(ErrorKind::Usage, fmt::format("--constant takes NAME=SPEC, for example table=f32[4]:iota; "
                                                "found '{}'",
                                                constant));
    launches.variables.emplace_back(constant.substr(0, equals), constant.substr(equals + 1));
  }
  TRY(request.steps, pipeline::steps_of_files(launches, file_options(arguments, paths)));
  if (arguments.launch > request.steps.size())
    return fail(ErrorKind::Usage, fmt::format("--launch {}: there are {} launches, counted from 1",
                                              arguments.launch, request.steps.size()));
  if (arguments.launch != 0) request.steps.resize(arguments.launch);
  if (!is_launch_file && arguments.kernel.empty()) {
    // The kernel that was chosen is in what was compiled for the list.
    pipeline::Job& job = request.steps.front().job;
    job.options.instances.clear();
    if (job.options.launched_instances_of) job.options.launched_instances_of = "";
  }
  request.launches = std::move(launches);
  return {};
}

Result<trace::Keep> keep_of(const std::string& blocks, Dim3 grid) {
  trace::Keep keep;
  if (blocks == "all") return keep;
  keep.blocks = trace::Keep::Blocks::None;
  if (blocks == "none") return keep;
  keep.blocks = trace::Keep::Blocks::Listed;
  for (size_t at = 0; at <= blocks.size();) {
    const size_t end = std::min(blocks.find(';', at), blocks.size());
    TRY(const CtaId cta, parse_block(std::string_view(blocks).substr(at, end - at), grid));
    keep.listed.push_back(cta);
    at = end + 1;
  }
  return keep;
}

Result<void> check_producer(const std::string& producer) {
  // auto: what it stood for, the GPU where there is one, was slower and checked nothing.
  if (producer == "emulator" || producer == "gpu" || producer == "auto") return {};
  return fail(ErrorKind::Usage, fmt::format("--producer is emulator or gpu, not '{}'", producer));
}

/// Whether a GPU is to run the kernel: only on request. A host is named for its GPU; `time` uses the GPU that
/// is there for times, and traces by the emulator.
bool asks_for_gpu(const RunArguments& arguments) {
  if (arguments.verb->has("--producer")) return arguments.producer == "gpu";
  return !arguments.gpu.host.empty() && arguments.verb->name() != "time";
}

/// Options of one producer that are given to the other.
Result<void> check_options_of_producer(const RunArguments& arguments) {
  const Verb& verb = *arguments.verb;
  if (!asks_for_gpu(arguments)) {
    // It ends a whole program too, whose kernels may be all that is left of it.
    const bool is_program = !arguments.kernels_only && has_main({arguments.file});
    if (verb.has("--limit-seconds") && verb.name() != "time" && !is_program)
      return fail(
          ErrorKind::Usage,
          "--limit-seconds ends a kernel on a GPU, and the emulator runs this one; use --limit-steps");
    return {};
  }
  constexpr std::array<std::pair<const char*, const char*>, 7> kOfEmulator{{
      {"--limit-steps", "on a GPU a time ends a kernel: use --limit-seconds"},
      {"--scheduling", "a GPU schedules the lanes of a warp by its own rules: leave it out"},
      {"--threads", "a GPU runs the kernel: leave it out"},
      {"--engine", "a GPU runs the kernel: leave it out"},
      {"--level", "a GPU counts its machine code in any case: leave it out"},
      {"--counters", "lanescope time reads this machine's: leave it out"},
      {"--caches", "a GPU's own are counted by lanescope time: leave it out"},
  }};
  for (const auto& [option, advice] : kOfEmulator)
    if (verb.has(option))
      return fail(ErrorKind::Usage, fmt::format("{} is an option of the emulator; {}", option, advice));
  if (verb.has("--checks") && arguments.checks == "all")
    return fail(ErrorKind::Usage,
                "--checks all needs --producer emulator: no check is made on a GPU; leave it out");
  return {};
}

}  // namespace

void add_compile_options(const Verb& verb, pipeline::FileOptions& options) {
  verb.add("-D", options.defines, "NAME[=VALUE]: a macro for the compiler").repeatable();
  verb.add("-I", options.include_directories, "a folder to search for headers").repeatable();
  verb.add("--std", options.standard, "c++17 (default), c++03, c++11, c++14 or c++20")
      .one_of({"c++03", "c++11", "c++14", "c++17", "c++20"});
  verb.add("-X,--nvrtc", options.compiler_options,
           "an option of the compiler, NVRTC or nvcc, for example -X --use_fast_math")
      .repeatable();
}

void add_compile_arguments(const Verb& verb, RunArguments& arguments) {
  verb.add("FILE", arguments.file, "CUDA source (.cu), PTX (.ptx), or several launches (.toml)");
  add_compile_options(verb, arguments.compile);
  verb.add("--arch", arguments.compile.arch, "sm_XX (default: sm_90)");
}

void add_level_argument(const Verb& verb, std::string& level) {
  verb.add("--level", level,
           "ptx (default) or sass: whose accesses are counted, and drawn in figures of one access")
      .one_of({"ptx", "sass"});
}

Result<void> check_level(const RunArguments& arguments) {
  if (!arguments.verb->has("--level") || std::filesystem::path(arguments.file).extension() != ".lane")
    return {};
  return fail(
      ErrorKind::Usage,
      fmt::format("{} has the counts of the level that it was saved at; leave out --level", arguments.file));
}

void add_run_arguments(const Verb& verb, RunArguments& arguments) {
  arguments.verb = verb;
  add_compile_arguments(verb, arguments);
  verb.add("MORE", arguments.more_files,
           "further source files of the program that FILE is of; its arguments follow --");
  verb.add("--program", arguments.program, "").hidden();
  verb.add("--kernels-only", arguments.kernels_only,
           "run no host code: of a file with main one kernel alone, with a launch that is given or guessed");
  verb.add("--lesson", arguments.lesson,
           "run a lesson's kernel instead of a file: its name, or the path of its folder, as ./my-lesson");
  verb.add("--set", arguments.set,
           "TOGGLE=VALUE: change a toggle of the lesson, for example kernel=NAME, size=2048")
      .repeatable();
  verb.add("--kernel", arguments.kernel, "which kernel, if the file has several");
  verb.add("--grid", arguments.grid,
           "X[,Y[,Z]] blocks (default: 1; without --arg as the host code, or guessed)");
  verb.add("--block", arguments.block, "X[,Y[,Z]] threads per block (default: as the host code, or guessed)");
  verb.add("--shared", arguments.shared_bytes, "bytes of dynamic shared memory")
      .between(int64_t{0}, std::numeric_limits<int64_t>::max());
  verb.add("--arg", arguments.arguments,
           "one kernel argument, in order: i32:1024, out=f32[64]:zeros, f32[64]:iota, file(PATH), "
           "random(SEED), fill(V), none (uninitialized); texture(f32[64x64]:iota, linear, clamp), "
           "surface(u8x4[64x64]:zeros)")
      .repeatable();
  verb.add(
          "--constant", arguments.constants,
          "NAME=SPEC: what a __constant__ or __device__ variable holds, as table=f32[16]:iota or scale=f32:2")
      .repeatable();
  verb.add(
          "--then", arguments.then,
          "KERNEL with --grid, --block, --shared, --arg and --times of its own: a further launch on the same "
          "buffers; --times N makes it N times")
      .repeatable();
  verb.add("--launch", arguments.launch,
           "of several launches the one to look at, from 1 (default: the last; of a program's the one that "
           "wastes most)");
  verb.add("--producer", arguments.producer,
           "what runs the kernel: emulator (default), or gpu, where nothing is checked");
  add_gpu_choice(verb, arguments.gpu);
  verb.add("--threads", arguments.threads, "threads of the emulator, 1 to 1024 (default: one per core)")
      .between(1, 1024);
  verb.add("--device", arguments.device, "whose memory is modelled (default: h200); 'help' lists them");
  verb.add("--blocks", arguments.blocks,
           "whose accesses are stored: all (default), none, or X,Y,Z[;X,Y,Z...]");
  verb.add("--checks", arguments.checks,
           "all (default): data races and uninitialized reads; or none. Bounds and alignment are "
           "always checked");
  verb.add("--scheduling", arguments.scheduling,
           "independent (default): diverged lanes of a warp take turns, as since Volta; or lockstep");
  verb.add("--engine", arguments.engine,
           "fast (default), or reference: without any shortcut, each warp and each check by itself, to be "
           "compared "
           "with where a number is doubted")
      .one_of({"fast", "reference"});
  verb.add("--limit-steps", arguments.limit_steps,
           "stop a kernel after this many warp instructions (emulator)")
      .between(int64_t{1}, std::numeric_limits<int64_t>::max());
  add_program_options(verb, arguments.of_program);
}

Result<model::Device> device_with_sectors(const RunArguments& arguments, const Paths& paths,
                                          std::string_view what) {
  const std::string name = arguments.device.empty() ? "h200" : arguments.device;
  TRY(model::Device device, model::find_device(paths.assets / "devices", name));
  constexpr int kFirstWithSectors = 50;
  if (device.compute_capability < kFirstWithSectors)
    return fail(ErrorKind::Usage,
                fmt::format("{} counts sectors and wavefronts, which {} does not have; choose a --device of "
                            "compute capability 5.0 or later",
                            what, device.title));
  return device;
}

Result<CtaId> parse_block(std::string_view text, Dim3 grid) {
  std::array<uint32_t, 3> parts{0, 0, 0};
  bool wrong = std::ranges::count(text, ',') > 2;
  size_t count = 0;
  for (size_t at = 0; at <= text.size() && count < 3; ++count) {
    const size_t end = std::min(text.find(',', at), text.size());
    const auto [stop, status] = std::from_chars(text.data() + at, text.data() + end, parts[count]);
    wrong |= status != std::errc{} || stop != text.data() + end;
    at = end + 1;
  }
  const bool fits = parts[0] < grid.x && parts[1] < grid.y && parts[2] < grid.z;
  if (wrong || !fits)
    return fail(ErrorKind::Usage,
                fmt::format("a block is X,Y,Z within the grid of {} x {} x {}, counted from 0; found '{}'",
                            grid.x, grid.y, grid.z, text));
  return CtaId{static_cast<uint32_t>(linear({parts[0], parts[1], parts[2]}, grid))};
}

Result<ChosenLesson> lesson_of(const RunArguments& arguments, const Paths& paths) {
  for (const char* option : {"--grid", "--block", "--shared", "--arg", "--kernel", "--then", "--launch",
                             "--constant", "-D", "--std", "-X", "--arch"})
    if (arguments.verb->has(option))
      return fail(
          ErrorKind::Usage,
          fmt::format("{} cannot be used with --lesson, which sets its own launch; use --set TOGGLE=VALUE",
                      option));
  if (!arguments.file.empty())
    return fail(ErrorKind::Usage, fmt::format("give a file or --lesson, not both: '{}' and '{}'",
                                              arguments.file, arguments.lesson));
  TRY(const lesson::Lesson lesson, lesson::find_lesson(paths.assets / "lessons", arguments.lesson));
  lesson::Settings settings = lesson::initial_settings(lesson);
  for (const std::string& set : arguments.set) {
    const size_t equals = set.find('=');
    if (equals == std::string::npos)
      return fail(ErrorKind::Usage,
                  fmt::format("--set takes TOGGLE=VALUE, for example size=2048; found '{}'", set));
    TRY(settings, lesson::with_toggle(lesson, settings, set.substr(0, equals), set.substr(equals + 1)));
  }
  return ChosenLesson{lesson, std::move(settings)};
}

Result<Request> request_of(const RunArguments& arguments, const Paths& paths,
                           const launch::Launch* previous) {
  TRY_VOID(check_producer(arguments.producer));
  if (arguments.checks != "all" && arguments.checks != "none")
    return fail(ErrorKind::Usage, fmt::format("--checks is all or none, not '{}'", arguments.checks));
  if (arguments.scheduling != "independent" && arguments.scheduling != "lockstep")
    return fail(ErrorKind::Usage,
                fmt::format("--scheduling is independent or lockstep, not '{}'", arguments.scheduling));
  TRY_VOID(check_options_of_producer(arguments));
  Request request;
  const std::string device = arguments.device.empty() ? "h200" : arguments.device;
  TRY(request.device, model::find_device(paths.assets / "devices", device));
  if (arguments.lesson.empty()) {
    TRY_VOID(add_file_steps(request, arguments, paths));
  } else {
    TRY(pipeline::Job job, lesson_job(arguments, paths, previous));
    request.steps.push_back({std::move(job), 1});
  }
  TRY(request.options.keep, keep_of(arguments.blocks, request.job().launch->grid));
  if (!arguments.looked_at.empty()) {
    TRY(request.options.keep.values_of, parse_block(arguments.looked_at, request.job().launch->grid));
  }
  request.options.threads = arguments.threads;
  request.options.checks = arguments.checks == "all" ? emulator::Checks::All : emulator::Checks::None;
  request.options.scheduling =
      arguments.scheduling == "lockstep" ? emulator::Scheduling::Lockstep : emulator::Scheduling::Independent;
  request.options.limit_steps = arguments.limit_steps;
  if (arguments.cache_memory_mib != 0) {
    if (!arguments.caches)
      return fail(ErrorKind::Usage, "--cache-memory is for the modelled caches: it needs --caches");
    request.options.cache_budget_bytes = uint64_t{arguments.cache_memory_mib} << 20;
  }
  request.options.keeps_origins = arguments.keeps_origins;
  if (!arguments.without.empty() && !arguments.caches)
    return fail(ErrorKind::Usage, "--without leaves a rule of the modelled caches out: it needs --caches");
  if (arguments.caches) {
    caches::Rules& rules = request.options.caches.emplace();
    for (const std::string& rule : arguments.without) TRY_VOID(caches::leave_out(rules, rule));
  }
  if (arguments.engine == "reference") request.options.engine = emulator::Engine::Reference;
  const bool is_of_machine_code = arguments.level == "sass";
  if (is_of_machine_code) request.options.level = trace::CountLevel::MachineCode;
  for (pipeline::Step& step : request.steps)
    step.job.options.with_machine_code = is_of_machine_code || !arguments.counters.empty();
  return request;
}

bool is_of_host_code(const pipeline::LaunchText& launch) {
  return !launch.guess.is_of_numbers() && launch.guess.buffers.empty();
}

std::string guess_words(const pipeline::LaunchText& launch) {
  if (!launch.guess.is_any()) return {};
  return fmt::format("{}: {}",
                     is_of_host_code(launch)
                         ? "the launch is the host code's, and the contents of its buffers are a guess"
                         : "the launch is a guess; change what does not fit",
                     pipeline::options_text(launch));
}

Result<Finished> run_request(const RunArguments& arguments, const Paths& paths) {
  Progress progress;  // before the threads of `execution`, which must not take Ctrl-C from it
  progress.begin("the start: sources and buffers are read", 0);
  TRY(Request request, request_of(arguments, paths));
  pipeline::Options options = session_options(paths);
  options.threads = arguments.threads;
  pipeline::Execution execution(std::move(options));
  return run_request(arguments, paths, std::move(request), execution, progress);
}

Result<Finished> run_request(const RunArguments& arguments, const Paths& paths, Request request,
                             pipeline::Execution& execution, Progress& progress) {
  if (asks_for_gpu(arguments)) {
    TRY(request.options.tracer, gpu_producer(arguments.gpu, paths, request.options.checks));
  }
  request.options.finished_blocks = &progress.finished();
  TRY(auto runs, pipeline::run_steps(execution, request.steps, request.device, request.options,
                                     [&](const pipeline::Job& job) {
                                       progress.begin(job.kernel, volume(job.launch->grid));
                                     }));
  request.options.finished_blocks = nullptr;
  pipeline::take_sizes(request.launches, runs);
  pipeline::take_sizes(request.steps, runs);
  for (size_t n = 0; n < runs.size() && n < request.launches.launches.size(); ++n)
    print_guess(request.launches.launches[n], runs[n]->enlarged);
  request.steps.resize(runs.size());
  auto run = std::move(runs.back());
  runs.pop_back();
  request.job().launch = run->launch;
  return Finished{std::move(request), std::move(run), std::move(runs)};
}

}  // namespace lanescope::shell
