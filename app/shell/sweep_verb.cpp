// `lanescope sweep`: all combinations of toggles, macros and launches, each a row of a database.

#include "base/counted_phrase.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/temporary_folder.h"
#include "shell/hosting/estimate.h"
#include "shell/sweep_arguments.h"
#include "shell/sweep_run.h"
#include "shell/verbs.h"
#include "sweep/database.h"
#include "sweep/jobs.h"
#include "sweep/workers.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;

struct SweepArguments {
  RunArguments run;
  std::string output;
  std::string shard;
  std::string jobs;
};

/// Says on standard error how many combinations are stored: on a terminal every second in one line, elsewhere
/// a line every ten seconds.
class SweepProgress {
 public:
  SweepProgress(uint64_t already, uint64_t all) : already_(already), all_(all) {}
  ~SweepProgress() { clear(); }
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  void add(uint64_t rows) { stored_ += rows; }
  void tick() {
    const auto now = std::chrono::steady_clock::now();
    if (now - shown_ < (is_terminal_ ? std::chrono::seconds(1) : std::chrono::seconds(10))) return;
    shown_ = now;
    const std::string left = estimate(stored_, all_ - already_, now - began_);
    fmt::print(stderr, "{}{} of {} combinations{}{}", is_terminal_ ? "\r\033[K" : "", already_ + stored_,
               all_, left, is_terminal_ ? " (Ctrl-C stops)" : "\n");
    is_shown_ = is_terminal_;
  }
  void clear() {
    if (is_shown_) fmt::print(stderr, "\r\033[K");
    is_shown_ = false;
  }

 private:
  uint64_t already_, all_;
  uint64_t stored_ = 0;
  bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  bool is_shown_ = false;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_ = began_;
};

/// The row of an answer of a worker.
Result<sweep::Row> row_of_answer(const sweep::Answer& answer) {
  if (answer.death.empty()) return sweep::row_of_line(answer.line);
  return sweep::Row{
      .number = answer.number,
      .problem = fmt::format("the process that ran it was ended by {}, twice; perhaps there is not "
                             "enough memory",
                             answer.death)};
}

/// Stores the rows of the combinations that are missing. Returns the signal that stopped it; 0: none.
Result<int> run_missing(const SweepArguments& arguments, const Paths& paths, sweep::Database& database) {
  const sweep::Definition& definition = database.definition();
  TRY(const std::vector<bool> done, database.done());
  const std::vector<uint64_t> all = sweep::numbers_of(definition.shard, sweep::combinations(definition.axes));
  sweep::WorkerPlan plan;
  std::ranges::copy_if(all, std::back_inserter(plan.numbers), [&](uint64_t number) { return !done[number]; });
  SweepProgress progress(all.size() - plan.numbers.size(), all.size());
  plan.processes = arguments.run.threads != 0 ? arguments.run.threads : usable_cores();
  // What a worker that is ended leaves in its temporary folders goes with this one.
  TRY(const TemporaryFolder folder, TemporaryFolder::make("sweep"));
  plan.begin = [&] {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the process has no threads yet
    setenv("TMPDIR", folder.path().c_str(), 1);
    return combination_work(arguments.run, definition, paths);
  };
  plan.tick = [&] { progress.tick(); };
  plan.store = [&](std::span<const sweep::Answer> answers) -> Result<void> {
    std::vector<sweep::Row> rows;
    for (const sweep::Answer& answer : answers) {
      TRY(rows.emplace_back(), row_of_answer(answer));
    }
    progress.add(rows.size());
    return database.insert(rows);
  };
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of the database
  TRY(const sweep::WorkersEnd end, sweep::run_workers(plan));
  return end.signal;
}

/// Says what the database has of the sweep. Returns the exit status.
Result<int> report_rows(sweep::Database& database, const std::string& file, int signal) {
  const sweep::Definition& definition = database.definition();
  const size_t all = sweep::numbers_of(definition.shard, sweep::combinations(definition.axes)).size();
  TRY(const std::vector<sweep::Row> rows, database.rows());
  std::string sentence =
      counted_phrase(Language::English, "{} has {} of {} combination[|s]", file, rows.size(), all);
  if (definition.shard.count > 1) sentence += " of " + sweep::name_of(definition.shard);
  const auto failed = std::ranges::count_if(rows, [](const sweep::Row& row) { return !row.problem.empty(); });
  const auto found =
      std::ranges::count_if(rows, [](const sweep::Row& row) { return row.finding_count() != 0; });
  const auto wrong =
      std::ranges::count_if(rows, [](const sweep::Row& row) { return row.output_correct == false; });
  if (failed != 0) sentence += fmt::format(", {} of them without counts", failed);
  if (found != 0) sentence += fmt::format(", {} with findings", found);
  if (wrong != 0) sentence += fmt::format(", {} with a wrong output", wrong);
  if (signal != 0)
    fmt::print(stderr, "stopped: {}; the same command goes on\n", sentence);
  else
    fmt::print(stderr, "{}\n", sentence);
  const auto problem = std::ranges::find_if(rows, [](const sweep::Row& row) { return !row.problem.empty(); });
  if (problem != rows.end())
    fmt::print(stderr, "{}: {}\n", sweep::name_of(definition.axes, problem->number),
               without_control_characters(problem->problem));
  if (signal != 0) return 128 + signal;
  return failed + found + wrong == 0 ? 0 : 1;
}

/// The words of this process after the program.
Result<std::vector<std::string>> own_words() {
  std::ifstream stream("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(stream, word, '\0');) words.push_back(std::move(word));
  if (words.empty())
    return fail(ErrorKind::File, "the words of this command cannot be read",
                Location{"/proc/self/cmdline", 0});
  return std::vector(words.begin() + 1, words.end());
}

/// --jobs: writes the scripts and runs nothing.
Result<int> write_jobs(const SweepArguments& arguments, const Paths& paths) {
  TRY(const sweep::JobPlan plan, sweep::parse_jobs(arguments.jobs));
  if (!arguments.shard.empty())
    return fail(ErrorKind::Usage, "--jobs has a --shard for each job; leave --shard out");
  TRY(const std::vector<std::string> words, own_words());
  const fs::path folder = fs::absolute(arguments.output).lexically_normal();
  const sweep::JobCommand command{.program = paths.program,
                                  .working = fs::current_path(),
                                  .folder = folder,
                                  .words = sweep::without_options(words, {"--jobs", "-o", "--output"})};
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem)
    return fail(ErrorKind::File, fmt::format("the folder cannot be made: {}", problem.message()),
                Location{folder.string(), 0});
  for (const sweep::JobFile& file : sweep::job_files(plan, command)) {
    TRY_VOID(write_file(folder / file.name, file.text));
    fmt::print("{}\n", (folder / file.name).string());
  }
  return 0;
}

Result<int> sweep_kernel(const SweepArguments& arguments, const Paths& paths) {
  if (arguments.run.device == "help") {
    print_names(model::device_names(paths.assets / "devices"));
    return 0;
  }
  if (arguments.output.empty())
    return fail(ErrorKind::Usage,
                "-o FILE.sqlite is missing, the database that gets a row for each combination");
  TRY(const sweep::Definition definition, sweep_of(arguments.run, arguments.shard, paths));
  if (!arguments.jobs.empty()) return write_jobs(arguments, paths);
  TRY_VOID(check_place(arguments.output));
  TRY(sweep::Database database, sweep::Database::open_or_create(arguments.output, definition));
  TRY(const int signal, run_missing(arguments, paths, database));
  return report_rows(database, arguments.output, signal);
}

}  // namespace

void add_sweep_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<SweepArguments>();
  const Verb verb =
      program.add_verb("sweep", "run all combinations of toggles, macros and launches into a database");
  add_run_arguments(verb, arguments->run);
  verb.add("--level", arguments->run.level, "ptx (default) or sass: whose accesses are counted")
      .one_of({"ptx", "sass"});
  verb.add("--caches", arguments->run.caches, "also count by the modelled caches of an H100 or H200");
  verb.add("--without", arguments->run.without, "a rule of the modelled caches to leave out").repeatable();
  verb.add("-o,--output", arguments->output, "FILE.sqlite: the database; one that is there is completed");
  verb.add("--shard", arguments->shard,
           "I/N: only part I of N of the combinations; 'lanescope merge' joins parts");
  verb.add("--jobs", arguments->jobs,
           "slurm:N or parallel:N: run nothing, write scripts for N parts into the folder -o");
  verb.set_footer(
      "--set TOGGLE=, -D NAME=, --grid and --block take several values: A,B,C or FIRST..LAST[:STEP]; a block "
      "is\n"
      "16x8 here. In --arg, --constant, --then, --grid and --block {NAME} is the value of -D NAME. --threads "
      "N runs "
      "N\n"
      "combinations at once (default: one per core). The same command goes on after an end at any moment.\n"
      "Exit status: 1 where a combination fails or has a finding, 2 for another sweep than the database's.\n"
      "Examples:\n"
      "  lanescope sweep --lesson transpose --set size=1024..4096:256 --set order=row-major,diagonal -o "
      "s.sqlite\n"
      "  lanescope sweep mine.cu -D TILE=16,32 --block 16x16,32x8 -o mine.sqlite\n"
      "  lanescope sweep mine.cu -D N=1024..8192:1024 --arg in=f32[{N}]:iota --arg out=f32[{N}]:zeros -o "
      "n.sqlite\n"
      "  lanescope plot --from s.sqlite --x size --y wavefronts --by order -o s.svg");
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return sweep_kernel(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
