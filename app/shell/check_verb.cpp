// `lanescope check`: exercises, their tasks and hints, and whether submissions solve them.

#include "base/escape.h"
#include "base/file.h"
#include "lesson/exercise.h"
#include "pipeline/exercise_check.h"
#include "shell/check_table.h"
#include "shell/exercise_text.h"
#include "shell/output_arguments.h"
#include "shell/verbs.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include <fmt/format.h>

namespace lanescope::shell {
namespace {

Coloring coloring() { return wants_color() ? Coloring::Colored : Coloring::Plain; }

struct CheckArguments {
  std::string exercise, file;
  std::string all;      // a folder of submissions
  std::string starter;  // the file to write it to
  bool overwrite = false;
  uint32_t hint = 0;  // from 1; 0: none
  bool solution = false;
  std::string language = "en";
  std::string producer = "emulator";
  GpuChoice gpu;
  unsigned threads = 0;
  Limits limits;
  JsonArgument json;
  std::optional<Verb> verb;
};

/// What is contradictory before anything runs.
Result<void> check(const CheckArguments& arguments) {
  const Verb& verb = *arguments.verb;
  const bool has_file = !arguments.file.empty();
  if (verb.has("--all") && has_file)
    return fail(ErrorKind::Usage, "--all FOLDER names the submissions; leave out the file");
  for (const char* option : {"--seconds", "--memory-mib"})
    if (verb.has(option) && !verb.has("--all"))
      return fail(ErrorKind::Usage,
                  fmt::format("{} limits each submission of --all FOLDER; it is missing", option));
  for (const char* option : {"--starter", "--hint", "--solution"})
    if (verb.has(option) && arguments.exercise.empty())
      return fail(ErrorKind::Usage, fmt::format("{} needs the exercise, as in 'lanescope check "
                                                "LESSON/EXERCISE {}'",
                                                option, option));
  for (const char* option : {"--starter", "--solution"})
    if (verb.has(option) && (has_file || verb.has("--all")))
      return fail(ErrorKind::Usage, fmt::format("{} checks nothing; leave out the submission", option));
  if (verb.has("--json") && !has_file && !verb.has("--all"))
    return fail(ErrorKind::Usage, "--json reports checks; give a submission, FILE.cu, or --all FOLDER");
  // `check EXERCISE --json FILE.cu` would replace the submission by its report.
  if (arguments.json.given() && arguments.json.file.ends_with(".cu"))
    return fail(ErrorKind::Usage, fmt::format("--json {0} would write the report to {0}; put the submission "
                                              "before --json",
                                              arguments.json.file));
  return {};
}

Result<int> list_exercises(const Paths& paths) {
  const auto lessons = paths.assets / "lessons";
  for (const std::string& name : lesson::exercise_names(lessons)) {
    TRY(const lesson::Exercise exercise, lesson::find_exercise(lessons, name));
    fmt::print("{}\t{}\n", name, exercise.title.english);
  }
  return 0;
}

Result<void> write_starter(const lesson::Exercise& exercise, const CheckArguments& arguments) {
  TRY(const std::string text, read_text(exercise.folder / lesson::kStarterFile));
  std::error_code ignored;
  if (!arguments.overwrite && std::filesystem::exists(arguments.starter, ignored))
    return fail(ErrorKind::File, "this file exists; choose another name, or replace it with --overwrite",
                Location{arguments.starter, 0});
  return write_file(arguments.starter, text);
}

Language language_of(const CheckArguments& arguments) {
  return arguments.language == "fr" ? Language::French : Language::English;
}

/// The task, and what to do next.
void print_task(const lesson::Exercise& exercise, const CheckArguments& arguments) {
  const std::string& name = arguments.exercise;
  fmt::print("{}", without_control_characters(task_text(exercise, language_of(arguments))));
  fmt::print("Start from:  lanescope check {} --starter mine.cu\n", name);
  fmt::print("Check it:    lanescope check {} mine.cu\n", name);
  if (const size_t hints = hints_of(exercise); hints != 0)
    fmt::print("Hints:       lanescope check {} --hint 1{}\n", name,
               hints == 1 ? "" : fmt::format(" (to {})", hints));
}

bool asks_for_gpu(const CheckArguments& arguments) {
  return arguments.producer == "gpu" || !arguments.gpu.host.empty();
}

/// The GPU that measures, if it is asked for; null: none is.
Result<std::unique_ptr<gpu::Gpu>> gpu_of(const CheckArguments& arguments, const Paths& paths) {
  if (!asks_for_gpu(arguments)) return nullptr;
  pipeline::Options options;
  offer_gpu(options, arguments.gpu, paths);
  if (options.open_gpu) return options.open_gpu({});
  return fail(
      ErrorKind::Unsupported,
      "--producer gpu needs a GPU, and there is none here; leave it out, or name a machine with --host");
}

Result<void> print_hint(const lesson::Exercise& exercise, const CheckArguments& arguments) {
  TRY(const std::string hint, hint_text(exercise, arguments.hint, language_of(arguments)));
  fmt::print("{}{}", arguments.file.empty() ? "" : "\n", without_control_characters(hint));
  return {};
}

Result<int> check_file(const lesson::Exercise& exercise, const CheckArguments& arguments,
                       const Paths& paths) {
  TRY(const pipeline::Job submission, pipeline::submission_of(arguments.file));
  TRY(const auto gpu, gpu_of(arguments, paths));
  pipeline::Options options = session_options(paths);
  options.threads = arguments.threads;
  pipeline::Execution execution(options);
  CheckedFile checked{.exercise = exercise.name, .file = arguments.file};
  const auto start = std::chrono::steady_clock::now();
  TRY(checked.checks,
      pipeline::check_submission(execution, options, exercise, submission,
                                 {.stop = {}, .gpu = gpu.get(), .language = language_of(arguments)}));
  checked.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (arguments.json.given()) {
    Json report{{"lanescope", LANESCOPE_VERSION}};
    report.update(report_json(checked));
    TRY_VOID(write_report(arguments.json, report.dump(2) + "\n"));
  } else {
    fmt::print("{}", report_text(checked, coloring()));
    if (arguments.hint != 0) TRY_VOID(print_hint(exercise, arguments));
  }
  return checked.passed() ? 0 : 1;
}

/// Of --all. A process has one thread, and there is one for each core, since most of the time is the
/// compiler's; on a GPU they would disturb each other's times.
Processes processes_of(const CheckArguments& arguments) {
  Processes processes;
  processes.limits = arguments.limits;
  processes.words = {"--threads", std::to_string(std::max(1u, arguments.threads))};
  if (!asks_for_gpu(arguments)) {
    processes.at_once = std::max(1u, std::thread::hardware_concurrency());
    return processes;
  }
  processes.words.insert(processes.words.end(), {"--producer", "gpu"});
  if (!arguments.gpu.host.empty())
    processes.words.insert(processes.words.end(),
                           {"--host", arguments.gpu.host, "--remote-program", arguments.gpu.remote_program});
  return processes;
}

/// The table, or with --json the list that it is made of.
Result<int> report_all(const CheckArguments& arguments, const std::vector<CheckedFile>& checked,
                       const std::string& table, const char* key, Json list) {
  if (arguments.json.given()) {
    const Json report{{"lanescope", LANESCOPE_VERSION}, {key, std::move(list)}};
    TRY_VOID(write_report(arguments.json, report.dump(2) + "\n"));
  } else {
    fmt::print("{}", table);
  }
  return std::ranges::all_of(checked, &CheckedFile::passed) ? 0 : 1;
}

Result<int> check_folder(const CheckArguments& arguments, const Paths& paths) {
  const Processes processes = processes_of(arguments);
  if (!arguments.exercise.empty()) {
    TRY_VOID(lesson::find_exercise(paths.assets / "lessons", arguments.exercise));
    TRY(const auto submissions, submissions_for(arguments.exercise, arguments.all));
    TRY(const auto checked, check_all(submissions, processes, paths));
    Json list = Json::array();
    for (const CheckedFile& one : checked) list.push_back(report_json(one));
    return report_all(arguments, checked, table_of_checks(checked, coloring()), "submissions",
                      std::move(list));
  }
  TRY(const ClassFolder all,
      submissions_of_students(lesson::exercise_names(paths.assets / "lessons"), arguments.all));
  TRY(const auto checked, check_all(all.submissions, processes, paths));
  for (const std::string& note : all.notes)
    fmt::print(stderr, "note: {}\n", without_control_characters(note));
  return report_all(arguments, checked, table_of_students(all, checked, coloring()), "students",
                    report_of_students(all, checked));
}

Result<int> run_check(const CheckArguments& arguments, const Paths& paths) {
  TRY_VOID(check(arguments));
  if (arguments.verb->has("--all")) return check_folder(arguments, paths);
  if (arguments.exercise.empty()) return list_exercises(paths);
  TRY(const lesson::Exercise exercise, lesson::find_exercise(paths.assets / "lessons", arguments.exercise));
  if (arguments.verb->has("--starter")) {
    TRY_VOID(write_starter(exercise, arguments));
    return 0;
  }
  if (arguments.solution) {
    TRY(const std::string text, solution_text(exercise, language_of(arguments)));
    fmt::print("{}", without_control_characters(text));
    return 0;
  }
  if (!arguments.file.empty()) return check_file(exercise, arguments, paths);
  if (arguments.hint != 0)
    TRY_VOID(print_hint(exercise, arguments));
  else
    print_task(exercise, arguments);
  return 0;
}

}  // namespace

void add_check_verb(const Verb& program, Action& action) {
  auto arguments = std::make_shared<CheckArguments>();
  const Verb verb =
      program.add_verb("check", "check a submission for an exercise; with no name, list the exercises");
  arguments->verb = verb;
  verb.add("EXERCISE", arguments->exercise,
           "LESSON/EXERCISE as the list names it, or the path of one, as ./my-lesson/EXERCISE");
  verb.add("FILE", arguments->file, "the submission (.cu); without it the task is printed");
  verb.add("--starter", arguments->starter, "FILE.cu: write what to start from");
  verb.add("--overwrite", arguments->overwrite, "with --starter: replace the file if there is one");
  verb.add("--hint", arguments->hint, "print hint N, from 1").between(1, 100);
  verb.add("--solution", arguments->solution, "print the solution, and why it is so");
  verb.add("--language", arguments->language,
           "of task, hints, solution and what the checks find: en (default) or fr")
      .one_of({"en", "fr"});
  verb.add("--all", arguments->all,
           "FOLDER of submissions: a table who passes what. With an exercise each .cu file is a submission; "
           "without, each sub-folder is a student, with files named EXERCISE.cu or LESSON-EXERCISE.cu");
  verb.add("--seconds", arguments->limits.seconds,
           "with --all: stop a submission after so many (default: 30)")
      .between(1, 86400);
  verb.add("--memory-mib", arguments->limits.memory_mib,
           "with --all: the memory of each submission, in MiB (default: 4096)")
      .between(256, 1 << 20);
  verb.add("--producer", arguments->producer,
           "emulator (default); or gpu: the kernel is timed on a GPU too, for the checks microseconds and "
           "copy_share")
      .one_of({"emulator", "gpu"});
  add_gpu_choice(verb, arguments->gpu);
  verb.add("--threads", arguments->threads, "threads of the emulator, 1 to 1024 (default: one per core)")
      .between(1, 1024);
  add_json_argument(verb, arguments->json);
  verb.set_footer(
      "Exit status: 0 all checks passed, 1 otherwise.\n"
      "Examples:\n"
      "  lanescope check                                          the exercises\n"
      "  lanescope check transpose/tiled                          the task\n"
      "  lanescope check transpose/tiled --starter mine.cu        what to start from\n"
      "  lanescope check transpose/tiled mine.cu                  a line for each check\n"
      "  lanescope check transpose/tiled --hint 1\n"
      "  lanescope check ./my-lesson/first mine.cu --json report.json\n"
      "  lanescope check transpose/tiled --all submissions --seconds 10\n"
      "  lanescope check --all class --json class.json");
  verb.on_chosen([&action, arguments] {
    action = [arguments](const Paths& paths) { return run_check(*arguments, paths); };
  });
}

}  // namespace lanescope::shell
