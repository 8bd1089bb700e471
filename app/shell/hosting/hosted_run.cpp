#include "shell/hosting/hosted_run.h"

#include "base/escape.h"
#include "caches/known_devices.h"
#include "driver/server/launch_table.h"
#include "driver/server/program_findings.h"
#include "driver/server/server.h"
#include "model/device.h"
#include "pipeline/program_run.h"
#include "shell/hosting/installed_driver.h"
#include "shell/hosting/installed_toolkit.h"
#include "shell/hosting/launch_progress.h"
#include "shell/hosting/toolkit_folder.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <ctime>
#include <functional>
#include <span>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

/// Half of this machine's memory, which is allocated only as it is used.
uint64_t memory_bytes() {
  const auto pages = static_cast<uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  return std::max(pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 2, uint64_t{1} << 30);
}

Result<Hosting> hosting(const HostedRun& wanted, const Paths& paths, const driver::Server& server) {
  const fs::path& libraries = paths.libraries;
  std::error_code ignored;
  if (!fs::exists(libraries / "libcuda.so.1", ignored))
    return fail(
        ErrorKind::Unsupported,
        "this build has no driver for other programs, since CUDA's headers were missing; build it anew "
        "after third_party/setup.sh has fetched them");
  return Hosting{.libraries = libraries,
                 .links = {},
                 .driver = {},
                 .keeps_ptx = !wanted.runs_on_gpu || !wanted.captures.empty(),
                 .python = paths.project / "app/python/hooks",
                 .socket = server.socket(),
                 .device = wanted.device,
                 .lanescope = paths.program,
                 .project = paths.project,
                 .cache = paths.fetched.parent_path(),
                 .is_reported = wanted.is_reported};
}

/// The names without a version, as links: an archive of Python's and some file systems keep no links, and two
/// files of one library would be two drivers in one process. None where the libraries have them.
Result<std::optional<TemporaryFolder>> linked_names(const fs::path& libraries, Hosting& host) {
  const fs::path used = host.driver.empty() ? libraries : libraries / "forward";
  std::error_code ignored;
  if (fs::exists(used / "libcuda.so", ignored)) return std::nullopt;
  TRY(TemporaryFolder folder, TemporaryFolder::make("libraries"));
  fs::create_symlink(used / "libcuda.so.1", folder.path() / "libcuda.so", ignored);
  if (host.driver.empty())
    fs::create_symlink(used / "libcudart.so.13", folder.path() / "libcudart.so", ignored);
  host.links = folder.path();
  return folder;
}

/// Whether the command builds something, so that it needs nvcc.
bool is_build_tool(const std::string& command) {
  constexpr std::array kTools{"make", "gmake", "cmake", "ninja", "meson", "nvcc"};
  return std::ranges::find(kTools, fs::path(command).filename().string()) != kTools.end();
}

/// Python finds its libraries by the same variables, and compiles no whole programs.
bool is_python(const std::string& command) {
  const std::string name = fs::path(command).filename().string();
  return name.starts_with("python") || name.starts_with("ipython") || name.starts_with("jupyter");
}

/// Makes the toolkit's stand-in for what may build; none where there is no toolkit. A tool that builds has it
/// fetched. Errors: those of find_or_fetch_toolkit() and make_toolkit_folder().
Result<std::optional<TemporaryFolder>> toolkit_folder(const std::vector<std::string>& words,
                                                      const Paths& paths, Hosting& host) {
  std::optional<compile::Toolkit> toolkit = compile::find_toolkit(paths.fetched, paths.installed);
  if (!toolkit && is_build_tool(words.front())) {
    TRY(toolkit, find_or_fetch_toolkit(paths));
  }
  if (!toolkit) return std::nullopt;
  host.nvcc = toolkit->nvcc;
  if (is_python(words.front())) return std::nullopt;
  TRY(TemporaryFolder folder, make_toolkit_folder(*toolkit, host.libraries));
  host.toolkit = folder.path();
  return folder;
}

/// The machine code of the kernels, if it is counted; null where it cannot be made, which a note then says.
std::unique_ptr<driver::MachineCodes> machine_codes_of(const HostedRun& wanted, const model::Device& device,
                                                       const Paths& paths, driver::ProgramLog& log) {
  if (wanted.level != trace::CountLevel::MachineCode) return nullptr;
  auto toolkit = find_or_fetch_toolkit(paths);
  if (toolkit)
    return std::make_unique<driver::MachineCodes>(
        *std::move(toolkit), fmt::format("sm_{}", device.compute_capability), paths.cache);
  log.add_note(
      "the counts are those of the PTX: its machine code is made by ptxas, which was not found; install a "
      "CUDA toolkit, or set CUDA_HOME to one");
  return nullptr;
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
  constexpr int kLooks = 1000;
  for (int look = 0; look < kLooks && server.processes() > 0; ++look)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

/// The first ten of the sentences, and how many more there are.
void print_some(const std::vector<std::string>& sentences, const char* before) {
  constexpr size_t kMost = 10;
  for (const std::string& sentence : std::span(sentences).first(std::min(sentences.size(), kMost)))
    fmt::print(stderr, "{}{}\n", before, without_control_characters(sentence));
  if (sentences.size() > kMost) fmt::print(stderr, "{}and {} more\n", before, sentences.size() - kMost);
}

}  // namespace

Result<fs::path> make_run_folder(const Paths& paths) {
  constexpr size_t kMostRuns = 20;
  const fs::path runs =
      paths.cache.empty() ? fs::temp_directory_path() / "lanescope-runs" : paths.cache.parent_path() / "runs";
  std::error_code ignored;
  std::vector<fs::path> known;
  for (const fs::directory_entry& entry : fs::directory_iterator(runs, ignored))
    if (pipeline::is_program_run(entry.path())) known.push_back(entry.path());
  std::ranges::sort(known, std::greater<>());  // their names begin with the time
  for (size_t n = kMostRuns; n < known.size(); ++n) fs::remove_all(known[n], ignored);
  const fs::path wanted =
      runs / fmt::format("{:%Y%m%d-%H%M%S}-{}", fmt::localtime(std::time(nullptr)), getpid());
  fs::create_directories(runs, ignored);
  // A window may make several in a second.
  constexpr int kMostInOneSecond = 1000;
  for (int n = 1; n < kMostInOneSecond; ++n) {
    fs::path folder = wanted;
    if (n > 1) folder += fmt::format("-{}", n);
    if (fs::create_directory(folder, ignored)) return folder;
    if (!fs::exists(folder, ignored)) break;
  }
  return fail(ErrorKind::File,
              "the folder for the launches cannot be made; free some room there, or make it writable",
              Location{wanted.string(), 0});
}

int report_launches(const driver::ProgramLog& log) {
  const driver::LaunchRecords records = log.records();
  for (const driver::LaunchRecord& record : records)
    if (record.comparison)
      for (const std::string& sentence : driver::sentences_of(*record.comparison))
        fmt::print(stderr, "{} (launch {}): {}\n", record.kernel, record.number + 1,
                   without_control_characters(sentence));
    else if (log.is_of_gpu() && !record.error.empty())
      fmt::print(stderr, "{} (launch {}): {}{}\n", record.kernel, record.number + 1,
                 record.was_emulated ? "in the emulator: " : "", without_control_characters(record.error));
  const std::vector<std::string> findings = driver::findings_of(records, !log.is_of_gpu());
  print_some(findings, "");
  print_some(driver::barrier_notes_of(records), "note: ");
  for (const auto& [function, calls] : log.unsupported())
    fmt::print(stderr, "not supported: {}, called {} time{}\n", function, calls, calls == 1 ? "" : "s");
  for (const std::string& note : log.notes()) fmt::print(stderr, "note: {}\n", note);
  const bool has_failed =
      std::ranges::any_of(records, [](const driver::LaunchRecord& record) { return !record.error.empty(); });
  return !findings.empty() || has_failed ? 1 : 0;
}

bool report_library_failures(const driver::ProgramLog& log) {
  bool has_failed = false;
  for (const driver::LibraryCalls& calls : log.library_calls()) {
    if (calls.failed == 0) continue;
    fmt::print(stderr, "{}{}\n", has_failed ? "" : "\n", without_control_characters(failure_text(calls)));
    has_failed = true;
  }
  return has_failed;
}

void print_report(const driver::ProgramLog& log) {
  const driver::LaunchRecords records = log.records();
  const std::vector<driver::LibraryCalls> library_calls = log.library_calls();
  (void)report_library_failures(log);
  if (records.empty()) {
    fmt::print(stderr, "\nlanescope: no kernel was launched\n{}",
               library_calls.empty() ? "" : driver::table_of(records, library_calls));
  } else {
    const bool is_gpu = log.is_of_gpu();
    fmt::print(stderr, "\nlanescope: {} launch{}, {}\n{}", records.size(), records.size() == 1 ? "" : "es",
               is_gpu ? "on the GPU; times measured there by events right before and after each launch"
                      : "in the emulator",
               driver::table_of(records, library_calls));
  }
  (void)report_launches(log);
  if (!log.folder().empty())
    fmt::print(stderr, "kept in {}; 'lanescope open {}' shows it\n", log.folder().string(),
               log.folder().string());
}

std::string sentence_of(const ProgramEnd& end, const HostedRun& run) {
  const std::string& name = (run.shown_words.empty() ? run.command.words : run.shown_words).front();
  if (end.cause == ProgramEnd::Cause::Limit)
    return fmt::format("the program {} was ended after {} seconds (--limit-seconds)", name,
                       run.limit_seconds);
  if (end.cause == ProgramEnd::Cause::Keyboard)
    return fmt::format("the program {} was ended by Ctrl-C", name);
  if (end.cause == ProgramEnd::Cause::Signal)
    return fmt::format("the program {} was ended, as lanescope was asked to end", name);
  if (end.status == 0) return {};
  const std::string signal = signal_text(end.status);
  return signal.empty() ? fmt::format("the program {} ended with status {}", name, end.status)
                        : fmt::format("the program {} ended with status {}: {}", name, end.status, signal);
}

Result<HostedOutcome> run_program(const HostedRun& wanted, const Paths& paths) {
  std::vector<driver::CaptureRequest> requests;
  for (const std::string& text : wanted.captures) {
    TRY(requests.emplace_back(), driver::parse_capture(text));
  }
  driver::Captures captures(std::move(requests));
  std::optional<InstalledDriver> gpu;
  if (wanted.runs_on_gpu) {
    TRY(gpu, find_installed_driver());
  }
  const std::string device_word =
      gpu ? device_like(gpu->compute_capability, paths).value_or(wanted.device) : wanted.device;
  TRY(const model::Device device, model::find_device(paths.assets / "devices", device_word));
  if (wanted.models_caches) TRY_VOID(caches::require_known(device));
  LaunchProgress progress;
  driver::LaunchTurn turn(progress.watch());
  std::atomic<int> end_signal = 0;
  // The program gets the keyboard's signals itself; here the first ends a launch that it waits for.
  const EndSignals signals([&, count = 0](int signal) mutable {
    turn.stop_launch();
    if (++count > 1 || (signal != SIGINT && signal != SIGQUIT)) end_signal = signal;
  });
  HostedOutcome outcome;
  outcome.log = std::make_unique<driver::ProgramLog>(
      wanted.folder, wanted.shown_words.empty() ? wanted.command.words : wanted.shown_words, device_word,
      gpu ? std::optional(gpu->gpu) : std::nullopt);
  driver::ProgramLog& log = *outcome.log;
  emulator::Pool pool(wanted.threads);
  auto machine_codes = machine_codes_of(wanted, device, paths, log);
  driver::ProgramRun run{.device = device,
                         .keeps = wanted.keeps,
                         .accesses = wanted.accesses,
                         .most_input_bytes = wanted.most_input_bytes,
                         .also_keeps = wanted.also_keeps,
                         .memory_bytes = memory_bytes(),
                         .devices = wanted.devices,
                         .limit_steps = wanted.limit_steps,
                         .runs_repeats = wanted.runs_repeats,
                         .out_of_bounds = wanted.out_of_bounds,
                         .sample_blocks = wanted.sample_blocks,
                         .samples_all = wanted.samples_all,
                         .models_caches = wanted.models_caches,
                         .flushes_l2 = wanted.flushes_l2,
                         .machine_codes = machine_codes.get(),
                         .log = log,
                         .pool = pool,
                         .turn = turn,
                         .captures = gpu ? &captures : nullptr};
  TRY(const std::unique_ptr<driver::Server> server, driver::Server::start(run));
  TRY(Hosting host, hosting(wanted, paths, *server));
  if (gpu) host.driver = gpu->library;
  TRY(const auto names, linked_names(paths.libraries, host));
  TRY(const auto folder, toolkit_folder(wanted.command.words, paths, host));
  for (const std::string& sentence : wanted.notes) log.add_note(sentence);
  TRY_VOID(log.write());
  if (wanted.opens_window) TRY_VOID(start_detached({paths.program.string(), wanted.folder.string()}));
  TRY(outcome.end, run_hosted(wanted.command, environment_of(host),
                              {.limit_seconds = wanted.limit_seconds, .by_signal = &end_signal}));
  turn.stop_launch();  // of a program that was ended
  wait_for_processes(*server);
  for (const std::string& sentence : captures.unmet()) log.add_note(sentence);
  log.end(outcome.end.status);
  TRY_VOID(log.write());
  return outcome;
}

}  // namespace lanescope::shell
