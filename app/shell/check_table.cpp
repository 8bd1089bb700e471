#include "shell/check_table.h"

#include "base/escape.h"
#include "base/lines.h"
#include "base/utf8.h"
#include "shell/hosting/progress.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <thread>

#include <fmt/color.h>
#include <fmt/format.h>

namespace lanescope::shell {
namespace {

namespace fs = std::filesystem;
using Status = pipeline::Check::Status;

/// A name of a file, which may have any bytes, in one line of a terminal.
std::string shown(std::string_view name) {
  std::string text = without_control_characters(valid_utf8(name));
  std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

/// The entries that `fits`, by name. Error (File): it is no folder that can be read.
template <class F>
Result<std::vector<fs::path>> entries_of(const fs::path& folder, F&& fits) {
  std::error_code error;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (fits(entry)) found.push_back(entry.path());
  if (error)
    return fail(ErrorKind::File, fmt::format("a folder with submissions was expected ({})", error.message()),
                Location{folder.string(), 0});
  std::ranges::sort(found);
  return found;
}

bool is_source(const fs::directory_entry& entry) {
  std::error_code ignored;
  return entry.path().extension() == ".cu" && entry.is_regular_file(ignored);
}

/// "tiled" and "transpose-tiled" of "transpose/tiled".
bool names_exercise(const std::string& stem, const std::string& exercise) {
  std::string whole = exercise;
  std::ranges::replace(whole, '/', '-');
  return stem == whole || stem == exercise.substr(exercise.find('/') + 1);
}

std::string how_it_ended(const Ended& ended, const Limits& limits) {
  switch (ended.how) {
    case Ended::How::TimedOut:
    case Ended::How::Stopped:
      return fmt::format("stopped after {} s; --seconds N allows more", limits.seconds);
    case Ended::How::Signaled:
      return fmt::format("ended by signal {}, perhaps for lack of memory; --memory-mib N allows more",
                         ended.number);
    case Ended::How::Exited:
      break;
  }
  if (ended.error.contains("there is not enough memory"))
    return fmt::format("needs more memory than {} MiB; --memory-mib N allows more", limits.memory_mib);
  const std::string_view first = lines_of(ended.error).front();
  return first.empty() ? fmt::format("ended with status {}", ended.number) : std::string(first);
}

Result<CheckedFile> check_one(const Submission& submission, const Processes& processes, const Paths& paths) {
  std::vector<std::string> words{paths.program.string(), "check", submission.exercise,
                                 submission.file.string(), "--json"};
  words.insert(words.end(), processes.words.begin(), processes.words.end());
  CheckedFile checked{.exercise = submission.exercise, .file = submission.file.string()};
  const auto start = std::chrono::steady_clock::now();
  TRY(const Ended ended, run_limited(words, processes.limits));
  checked.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  auto checks = checks_in(ended.output);
  if (ended.how == Ended::How::Exited && checks && !checks->empty())
    checked.checks = *std::move(checks);
  else
    checked.problem = how_it_ended(ended, processes.limits);
  return checked;
}

/// Rows of cells; the last cell of a row may have any length.
class Table {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  /// `paint(row, column, text)` gives a padded cell its color.
  template <class F>
  std::string text(F&& paint) const {
    std::vector<size_t> widths;
    for (const auto& row : rows_)
      for (size_t n = 0; n < row.size(); ++n) {
        if (n == widths.size()) widths.push_back(0);
        widths[n] = std::max(widths[n], row[n].size());
      }
    std::string text;
    for (size_t r = 0; r < rows_.size(); ++r) {
      std::string line;
      for (size_t n = 0; n < rows_[r].size(); ++n) {
        const bool is_last = n + 1 == rows_[r].size();
        line += paint(rows_[r][n], is_last ? rows_[r][n] : fmt::format("{:<{}}  ", rows_[r][n], widths[n]));
      }
      text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string painted(const std::string& cell, const std::string& padded, Coloring coloring) {
  const bool is_ok = cell == "ok", is_wrong = cell.starts_with("FAIL");
  if (coloring == Coloring::Plain || (!is_ok && !is_wrong)) return padded;
  return fmt::format(fg(is_ok ? fmt::terminal_color::green : fmt::terminal_color::red), "{}", padded);
}

const pipeline::Check* first_failure(const CheckedFile& checked) {
  const auto found = std::ranges::find(checked.checks, Status::Failed, &pipeline::Check::status);
  return found == checked.checks.end() ? nullptr : &*found;
}

}  // namespace

Result<std::vector<Submission>> submissions_for(const std::string& exercise, const fs::path& folder) {
  TRY(const auto files, entries_of(folder, is_source));
  if (files.empty())
    return fail(ErrorKind::File, "there is no submission here; files named STUDENT.cu were expected",
                Location{folder.string(), 0});
  std::vector<Submission> submissions;
  for (const fs::path& file : files) submissions.push_back({file.filename().string(), exercise, file});
  return submissions;
}

Result<ClassFolder> submissions_of_students(const std::vector<std::string>& exercises,
                                            const fs::path& folder) {
  TRY(const auto students, entries_of(folder, [](const fs::directory_entry& entry) {
        std::error_code ignored;
        return entry.is_directory(ignored);
      }));
  ClassFolder all;
  for (const fs::path& student : students) {
    const std::string name = student.filename().string();
    all.students.push_back(name);
    TRY(const auto files, entries_of(student, is_source));
    std::set<std::string> handed_in;
    for (const fs::path& file : files) {
      std::vector<std::string> meant;
      std::ranges::copy_if(exercises, std::back_inserter(meant), [&](const std::string& exercise) {
        return names_exercise(file.stem().string(), exercise);
      });
      if (meant.empty())
        all.notes.push_back(fmt::format("{}: no exercise has this name", file.string()));
      else if (meant.size() > 1)
        all.notes.push_back(fmt::format("{}: several exercises have this name; call it {}.cu", file.string(),
                                        "LESSON-EXERCISE"));
      else if (!handed_in.insert(meant.front()).second)
        all.notes.push_back(fmt::format("{}: there is another file for {}", file.string(), meant.front()));
      else
        all.submissions.push_back({name, meant.front(), file});
    }
  }
  if (all.submissions.empty())
    return fail(ErrorKind::File,
                "there is no submission here; a folder for each student was expected, with files named "
                "EXERCISE.cu or LESSON-EXERCISE.cu",
                Location{folder.string(), 0});
  return all;
}

Result<std::vector<CheckedFile>> check_all(const std::vector<Submission>& submissions,
                                           const Processes& processes, const Paths& paths) {
  std::vector<CheckedFile> checked(submissions.size());
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::optional<Error> error;
  Progress progress;
  const auto work = [&] {
    for (size_t n = next++; n < submissions.size(); n = next++) {
      progress.begin(fmt::format("submission {} of {}", n + 1, submissions.size()), 0);
      auto one = check_one(submissions[n], processes, paths);
      const std::scoped_lock lock(mutex);
      if (one)
        checked[n] = *std::move(one);
      else
        error = one.error();
    }
  };
  {
    std::vector<std::jthread> workers;
    for (size_t n = 0; n < std::min<size_t>(processes.at_once, submissions.size()); ++n)
      workers.emplace_back(work);
  }
  if (error) return std::unexpected(*error);
  return checked;
}

std::string table_of_checks(const std::vector<CheckedFile>& checked, Coloring coloring) {
  std::vector<std::string> names;
  for (const CheckedFile& one : checked)
    if (names.empty())
      for (const pipeline::Check& check : one.checks) names.push_back(check.name);
  Table table;
  std::vector<std::string> head{""};
  head.insert(head.end(), names.begin(), names.end());
  table.add(head);
  size_t passes = 0;
  for (const CheckedFile& one : checked) {
    std::vector<std::string> row{shown(fs::path(one.file).filename().string())};
    for (const std::string& name : names) {
      const auto check = std::ranges::find(one.checks, name, &pipeline::Check::name);
      row.emplace_back(check == one.checks.end() || check->status == Status::NotRun ? "-"
                       : check->status == Status::Passed                            ? "ok"
                                                                                    : "FAIL");
    }
    const pipeline::Check* const failure = first_failure(one);
    row.push_back(shown(failure != nullptr ? failure->sentence : one.problem));
    table.add(std::move(row));
    passes += one.passed() ? 1 : 0;
  }
  return table.text([&](const std::string& cell, const std::string& padded) {
    return painted(cell, padded, coloring);
  }) + fmt::format("{} of {} {}\n", passes, checked.size(), passes == 1 ? "passes" : "pass");
}

Json report_of_students(const ClassFolder& all, const std::vector<CheckedFile>& checked) {
  std::map<std::string, Json> exercises;  // [student]
  for (size_t n = 0; n < checked.size(); ++n)
    exercises[all.submissions[n].student].push_back(report_json(checked[n]));
  Json students = Json::array();
  for (const std::string& student : all.students) {
    Json& its = exercises[student];
    students.push_back({{"name", valid_utf8(student)}, {"submissions", its.is_null() ? Json::array() : its}});
  }
  return students;
}

std::string table_of_students(const ClassFolder& all, const std::vector<CheckedFile>& checked,
                              Coloring coloring) {
  std::map<std::pair<std::string, std::string>, const CheckedFile*> cells;  // [student, exercise]
  std::vector<std::string> exercises;
  for (size_t n = 0; n < checked.size(); ++n) {
    cells[{all.submissions[n].student, all.submissions[n].exercise}] = &checked[n];
    exercises.push_back(all.submissions[n].exercise);
  }
  std::ranges::sort(exercises);
  const auto repeated = std::ranges::unique(exercises);
  exercises.erase(repeated.begin(), repeated.end());
  Table table;
  std::vector<std::string> head{""};
  head.insert(head.end(), exercises.begin(), exercises.end());
  head.emplace_back("passed");
  table.add(head);
  for (const std::string& student : all.students) {
    std::vector<std::string> row{shown(student)};
    size_t passes = 0;
    for (const std::string& exercise : exercises) {
      const auto found = cells.find({student, exercise});
      if (found == cells.end()) {
        row.emplace_back("-");
        continue;
      }
      const CheckedFile& one = *found->second;
      const pipeline::Check* const failure = first_failure(one);
      passes += one.passed() ? 1 : 0;
      row.push_back(one.passed() ? "ok" : failure != nullptr ? "FAIL " + failure->name : "FAIL stopped");
    }
    row.push_back(fmt::format("{} of {}", passes, exercises.size()));
    table.add(std::move(row));
  }
  return table.text(
      [&](const std::string& cell, const std::string& padded) { return painted(cell, padded, coloring); });
}

}  // namespace lanescope::shell
