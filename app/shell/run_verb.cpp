// `lanescope run`: a program that uses CUDA, unchanged and with no GPU: its launches run in the emulator. Or
// on a GPU, where chosen launches are captured and repeated in the emulator.

#include "base/escape.h"
#include "base/file.h"
#include "driver/server.h"
#include "pipeline/program_run.h"
#include "shell/hosted_program.h"
#include "shell/installed_driver.h"
#include "shell/kernel_spec.h"
#include "shell/output_arguments.h"
#include "shell/verbs.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <memory>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

struct RunArguments {
  std::vector<std::string> words;  // the program and its arguments
  std::string joined;              // the same, where they came after --
  std::string device = "ampere";
  std::string keep = "first";
  std::string producer = "emulator";
  std::vector<std::string> capture;
  std::string save;
  bool window = false;
  bool kernel_spec = false;
  unsigned threads = 0;
  uint64_t limit_steps = emulator::kDefaultLimitSteps;
  JsonArgument json;
  std::optional<Verb> verb;
};

std::vector<std::string> words_of(const std::string& joined) {
  std::vector<std::string> words;
  for (size_t at = 0; at < joined.size();) {
    const size_t end = std::min(joined.find(kWordEnd, at), joined.size());
    words.push_back(joined.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

driver::KeptLaunches kept_launches(const std::string& word) {
  if (word == "all") return driver::KeptLaunches::All;
  return word == "none" ? driver::KeptLaunches::None : driver::KeptLaunches::First;
}

/// Half of this machine's memory, which is allocated only as it is used.
uint64_t memory_bytes() {
  const auto pages = static_cast<uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  return std::max(pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 2, uint64_t{1} << 30);
}

/// A new folder in the cache. Those of the last runs stay.
fs::path automatic_folder(const Paths& paths) {
  constexpr size_t kMostRuns = 20;
  const fs::path runs =
      paths.cache.empty() ? fs::temp_directory_path() / "lanescope-runs" : paths.cache.parent_path() / "runs";
  std::error_code ignored;
  std::vector<fs::path> known;
  for (const fs::directory_entry& entry : fs::directory_iterator(runs, ignored))
    if (pipeline::is_program_run(entry.path())) known.push_back(entry.path());
  std::ranges::sort(known, std::greater<>());  // their names begin with the time
  for (size_t n = kMostRuns; n < known.size(); ++n) fs::remove_all(known[n], ignored);
  return runs / fmt::format("{:%Y%m%d-%H%M%S}-{}", fmt::localtime(std::time(nullptr)), getpid());
}

/// The folder of the run: a new one, or one that has no run yet.
Result<fs::path> make_folder(const RunArguments& arguments, const Paths& paths) {
  const bool is_needed = arguments.window || !arguments.capture.empty();
  const bool is_automatic = arguments.save == "auto" || (arguments.save.empty() && is_needed);
  if (arguments.save.empty() && !is_automatic) return fs::path();
  const fs::path wanted = is_automatic ? automatic_folder(paths) : fs::path(arguments.save);
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
Result<void> check_producer(const RunArguments& arguments) {
  if (arguments.producer != "gpu" && !arguments.capture.empty())
    return fail(
        ErrorKind::Usage,
        "--capture needs --producer gpu; in the emulator --keep chooses the launches whose accesses are "
        "kept");
  if (arguments.producer != "gpu") return {};
  if (arguments.verb->has("--device"))
    return fail(
        ErrorKind::Usage,
        "--device is what the emulator shows; with --producer gpu the program sees the GPU: leave it out");
  if (arguments.verb->has("--keep"))
    return fail(
        ErrorKind::Usage,
        "--keep chooses among the launches of the emulator; with --producer gpu use --capture KERNEL");
  return {};
}

Result<Hosting> hosting(const RunArguments& arguments, const Paths& paths, const driver::Server& server) {
  const fs::path libraries = paths.program.parent_path() / "driver";
  std::error_code ignored;
  if (!fs::exists(libraries / "libcuda.so.1", ignored))
    return fail(
        ErrorKind::Unsupported,
        "this build has no driver for other programs, since CUDA's headers were missing; build it anew "
        "after third_party/setup.sh has fetched them");
  return Hosting{.libraries = libraries,
                 .driver = {},
                 .keeps_ptx = arguments.producer != "gpu" || !arguments.capture.empty(),
                 .python = paths.project / "app/python/hooks",
                 .socket = server.socket(),
                 .device = arguments.device,
                 .lanescope = paths.program};
}

/// The device of assets/devices with a GPU's compute capability, for the figures of captured launches; the
/// first of several.
std::optional<std::string> device_like(int compute_capability, const Paths& paths) {
  std::error_code ignored;
  std::vector<std::string> words;
  for (const fs::directory_entry& entry : fs::directory_iterator(paths.assets / "devices", ignored))
    if (entry.path().extension() == ".toml") words.push_back(entry.path().stem().string());
  std::ranges::sort(words);
  for (const std::string& word : words) {
    const auto device = model::find_device(paths.assets / "devices", word);
    if (device && device->compute_capability == compute_capability) return word;
  }
  return std::nullopt;
}

/// Processes that the program started may go on for a moment.
void wait_for_processes(const driver::Server& server) {
  constexpr int kLooks = 20;
  for (int look = 0; look < kLooks && server.processes() > 0; ++look)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

void print_report(const driver::ProgramLog& log) {
  const std::vector<driver::LaunchRecord> records = log.records();
  if (records.empty()) {
    fmt::print(stderr, "\nlanescope: no kernel was launched\n");
  } else {
    const bool is_gpu = log.is_of_gpu();
    fmt::print(stderr, "\nlanescope: {} launch{}, {}\n{}", records.size(), records.size() == 1 ? "" : "es",
               is_gpu ? "on the GPU; times measured there by events right before and after each launch"
                      : "in the emulator",
               driver::table_of(records));
  }
  for (const driver::LaunchRecord& record : records)
    if (record.comparison)
      for (const std::string& sentence : driver::sentences_of(*record.comparison))
        fmt::print(stderr, "{} (launch {}): {}\n", record.kernel, record.number,
                   without_control_characters(sentence));
    else if (log.is_of_gpu() && !record.error.empty())
      fmt::print(stderr, "{} (launch {}): {}{}\n", record.kernel, record.number,
                 record.was_emulated ? "in the emulator: " : "", without_control_characters(record.error));
  constexpr size_t kMostFindings = 10;
  size_t findings = 0;
  for (const driver::LaunchRecord& record : records)
    for (const std::string& finding : record.findings)
      if (++findings <= kMostFindings)
        fmt::print(stderr, "{}: {}\n", record.kernel, without_control_characters(finding));
  if (findings > kMostFindings) fmt::print(stderr, "and {} more\n", findings - kMostFindings);
  for (const auto& [function, calls] : log.unsupported())
    fmt::print(stderr, "not supported: {}, called {} time{}\n", function, calls, calls == 1 ? "" : "s");
  for (const std::string& note : log.notes()) fmt::print(stderr, "note: {}\n", note);
  if (!log.folder().empty())
    fmt::print(stderr, "kept in {}; 'lanescope open {}' shows it\n", log.folder().string(),
               log.folder().string());
}

Result<int> run_program(const RunArguments& arguments, const Paths& paths) {
  if (arguments.words.empty())
    return fail(ErrorKind::Usage,
                "the program to run is missing; give it after --, as in 'lanescope run -- "
                "python notebook.py'");
  TRY_VOID(check_producer(arguments));
  std::vector<driver::CaptureRequest> requests;
  for (const std::string& text : arguments.capture) {
    TRY(requests.emplace_back(), driver::parse_capture(text));
  }
  driver::Captures captures(std::move(requests));
  std::optional<InstalledDriver> gpu;
  if (arguments.producer == "gpu") {
    TRY(gpu, find_installed_driver());
  }
  const std::string device_word =
      gpu ? device_like(gpu->compute_capability, paths).value_or(arguments.device) : arguments.device;
  TRY(const model::Device device, model::find_device(paths.assets / "devices", device_word));
  TRY(const fs::path folder, make_folder(arguments, paths));
  driver::LaunchTurn turn;
  // The program gets the keyboard's signals itself; here they end a launch that it waits for.
  const Keyboard keyboard([&] { turn.stop_launch(); });
  driver::ProgramLog log(folder, arguments.words, device_word, gpu ? std::optional(gpu->gpu) : std::nullopt);
  emulator::Pool pool(arguments.threads);
  driver::ProgramRun run{.device = device,
                         .keeps = kept_launches(arguments.keep),
                         .memory_bytes = memory_bytes(),
                         .limit_steps = arguments.limit_steps,
                         .log = log,
                         .pool = pool,
                         .turn = turn,
                         .captures = gpu ? &captures : nullptr};
  TRY(const std::unique_ptr<driver::Server> server, driver::Server::start(run));
  TRY(Hosting host, hosting(arguments, paths, *server));
  if (gpu) host.driver = gpu->library;
  TRY_VOID(log.write());
  if (arguments.window) TRY_VOID(start_detached({paths.program.string(), folder.string()}));
  TRY(const int status, run_hosted(arguments.words, environment_of(host)));
  wait_for_processes(*server);
  for (const std::string& sentence : captures.unmet()) log.add_note(sentence);
  log.end(status);
  TRY_VOID(log.write());
  if (arguments.json.given())
    TRY_VOID(write_report(arguments.json,
                          log.json().dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"));
  if (!arguments.json.on_standard_output()) print_report(log);
  return status;
}

}  // namespace

void add_run_verb(const Verb& program, Action& action) {
  const Verb verb = program.add_verb(
      "run",
      "run a program that uses CUDA, with no GPU: Python with Numba or Triton, a notebook, a compiled one");
  auto arguments = std::make_shared<RunArguments>();
  arguments->verb = verb;
  verb.add("PROGRAM", arguments->words, "the program and its arguments, after --: -- python notebook.py");
  verb.add("--program", arguments->joined, "").hidden();
  verb.add("--device", arguments->device, "which GPU the program sees: a name of assets/devices, or a file");
  verb.add("--keep", arguments->keep,
           "which launches are checked for races, and their accesses kept: the first of each kernel and "
           "shape, all, "
           "or none")
      .one_of({"first", "all", "none"});
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
  add_json_argument(verb, arguments->json);
  verb.on_chosen([arguments, &action] {
    action = [arguments](const Paths& paths) -> Result<int> {
      if (arguments->words.empty()) arguments->words = words_of(arguments->joined);
      if (arguments->kernel_spec) return write_kernel_spec(paths, arguments->words);
      return run_program(*arguments, paths);
    };
  });
}

}  // namespace lanescope::shell
