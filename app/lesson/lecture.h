// A lecture: what a class is shown step by step, a sentence for each step, and notes for the teacher. Read
// from a lecture.toml, which is in a lesson's folder, or in a folder of its own:
//
//     lanescope_lecture = 1                       # the version of the format
//     title = {english = "...", french = "..."}
//     panels = ["banks", "sectors", "blocks"]     # in sight during the whole lecture
//     [[steps]]
//     lesson = "transpose"                        # a lesson of the program; the folder's, if it is one
//     set = {kernel = "tiled", padding = "1"}
//     a = {padding = "0"}                         # the run A beside it: what it has that `set` has not
//     device = "gt200"
//     block = [1, 0]
//     warp = 2
//     access = 5                                  # of that warp, from 0
//     look = ["banks"]                            # the panels that the sentence is about
//     predict = true                              # the results are covered until the next key
//     say = {english = "...", french = "..."}     # Markdown with live numbers (lesson/live_text.h)
//     reveal = {english = "...", french = "..."}  # after it, once the results are uncovered
//     notes = {english = "...", french = "..."}   # for the teacher alone
//
// Lesson, settings, device, block, warp, access and `look` of a step are those of the step before it where it
// has none; `a` is a step's own. A step with another lesson or another kernel function begins at the first
// block, warp and access; one with another lesson also with that lesson's settings and device. Tests:
// tests/unit/lesson/lecture_test.cpp

#pragma once

#include "base/dim3.h"
#include "base/ids.h"
#include "lesson/lesson.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::lesson {

/// A step of a lecture, complete in itself: it is shown in the same way whatever was shown before.
struct LectureStep {
  std::shared_ptr<const Lesson> lesson;  // not null
  Settings settings;
  std::optional<Settings> settings_of_a;  // of the run that it is compared with; none: nothing is
  std::string device;                     // empty: the lesson's, else the default
  Dim3 block{0, 0, 0};
  CtaId cta;                      // the block, in launch order
  uint32_t warp = 0, access = 0;  // of the block; of the warp
  std::vector<std::string> look;  // panels
  bool predicts = false;
  Words say, reveal, notes;  // Markdown; `reveal` and `notes` may be empty
  Location where;
};

struct Lecture {
  std::string name;  // of its folder
  std::filesystem::path file;
  Words title;
  std::vector<std::string> panels;
  std::vector<LectureStep> steps;  // at least one
};

/// The file that makes a lecture of a folder.
inline constexpr const char* kLectureFile = "lecture.toml";
/// The most steps that are read.
inline constexpr size_t kMaximumLectureSteps = 1000;

/// The lecture in `file`. Its lessons are those of `lessons` (assets/lessons) and that of its own folder.
/// Errors: File; Syntax with the line.
Result<Lecture> read_lecture(const std::filesystem::path& file, const std::filesystem::path& lessons);
/// Names of the lessons in `lessons` that have a lecture, in the order of lesson_names().
std::vector<std::string> lecture_names(const std::filesystem::path& lessons);
/// `name`: one of lecture_names(), or the path of a lecture.toml or of its folder, which has a '/'.
Result<Lecture> find_lecture(const std::filesystem::path& lessons, std::string_view name);

/// Whether a file is named as a lecture is: lecture.toml, or "camping.lecture.toml".
bool is_lecture_file(const std::filesystem::path& path);

}  // namespace lanescope::lesson
