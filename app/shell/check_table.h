// Many submissions: who passes what. Each is checked by this program in a process of its own with limits of
// time and memory, so that a file that hangs costs its own row alone. Tests: tests/cli/check_test.cpp

#pragma once

#include "base/limited_process.h"
#include "lesson/exercise.h"
#include "shell/check_report.h"
#include "shell/paths.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::shell {

/// A submission that is to be checked.
struct Submission {
  std::string student;   // the name of the folder, or of the file where each file is a student
  std::string exercise;  // as find_exercise() takes it
  std::filesystem::path file;
};

/// Each .cu file in `folder` as a submission for `exercise`, by name. Errors: File, also where there is none.
Result<std::vector<Submission>> submissions_for(const std::string& exercise,
                                                const std::filesystem::path& folder);

/// Each sub-folder as a student, with files named EXERCISE.cu or LESSON-EXERCISE.cu, by student and exercise.
struct ClassFolder {
  std::vector<std::string> students;
  std::vector<Submission> submissions;
  std::vector<std::string> notes;  // files that belong to no exercise, and why
};
Result<ClassFolder> submissions_of_students(const std::vector<std::string>& exercises,
                                            const std::filesystem::path& folder);

/// How check_all() runs its processes.
struct Processes {
  Limits limits;
  std::vector<std::string> words;  // further ones of the command line of each
  unsigned at_once = 1;
};
/// In the order of the submissions.
Result<std::vector<CheckedFile>> check_all(const std::vector<Submission>& submissions,
                                           const Processes& processes, const Paths& paths);

/// A row for each submission, a column for each check.
std::string table_of_checks(const std::vector<CheckedFile>& checked, Coloring coloring);
/// A row for each student, a column for each exercise that somebody handed in.
std::string table_of_students(const ClassFolder& all, const std::vector<CheckedFile>& checked,
                              Coloring coloring);
/// [{"name": student, "submissions": [as report_json()]}]
Json report_of_students(const ClassFolder& all, const std::vector<CheckedFile>& checked);

}  // namespace lanescope::shell
