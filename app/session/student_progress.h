// What a student has done: the kernels of each lesson that were run, the exercises that were solved. Kept in
// the person's state folder. Method: both only grow, so that windows side by side merge what each has done by
// reading the file again before each write. What is read is untrusted: names that are none are left out.
//
//     [transpose]
//     kernels = ["copy", "naive"]
//     exercises = ["tiled"]
//
// Tests: tests/unit/session/student_progress_test.cpp

#pragma once

#include "base/error.h"
#include "session/snapshot.h"

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace lanescope::session {

struct LessonProgress {
  std::set<std::string> kernels;    // that were run
  std::set<std::string> exercises;  // of which a submission passed all checks
  bool operator==(const LessonProgress&) const = default;
};

struct StudentProgress {
  std::map<std::string, LessonProgress> lessons;  // [name]
  bool operator==(const StudentProgress&) const = default;
};

/// A file that is missing or damaged has no progress.
StudentProgress read_progress(const std::filesystem::path& file);
std::string text_of(const StudentProgress& progress);

class KeptStudentProgress {
 public:
  /// An empty `file` keeps progress in memory alone.
  explicit KeptStudentProgress(std::filesystem::path file);

  /// Notes what the snapshot shows as run or solved, and gives the snapshot what is known.
  void follow(Snapshot& snapshot);

 private:
  void write();

  std::filesystem::path file_;
  StudentProgress progress_;
  std::shared_ptr<const StudentProgress> shown_;
};

}  // namespace lanescope::session
