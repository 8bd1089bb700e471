// An exercise of a lesson: a starter with a gap, a solution, and what is checked of a submission. Read from
// LESSON/exercises/EXERCISE, a folder with an exercise.toml. An exercise is like a lesson with one kernel,
// whose file a submission replaces. Tests: tests/unit/lesson/exercise_test.cpp

#pragma once

#include "lesson/lesson.h"
#include "lesson/prose.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::lesson {

/// What is asked of a submission, apart from that it compiles and has no memory error, data race or
/// uninitialized read. Counts are those of the first case.
struct Requirements {
  std::vector<std::string> output;       // buffers that must equal the solution's in every case; at least one
  bool coalesced = false;                // each access to global memory takes its ideal sectors
  bool conflict_free = false;            // each access to shared memory takes its ideal wavefronts
  std::optional<Expression> sectors;     // at most so many of global memory
  std::optional<Expression> requests;    // at most so many of global memory
  std::optional<Expression> wavefronts;  // at most so many of shared memory
  std::optional<Expression> l1_misses;   // at most so many loaded sectors that the modelled L1 lacks
  std::optional<Expression> barriers;    // at most so many that a warp reaches
  std::optional<double> active_share;    // at least this share of the lanes of warp instructions
  std::optional<double> instructions_of_solution;  // at most so many times the solution's warp instructions
  std::optional<double> microseconds;              // at most so many, on a GPU
  std::optional<double> copy_share;                // at least this share of a copy's speed, on a GPU
};

struct Exercise {
  std::string name;  // "transpose/tiled"
  std::filesystem::path folder;
  Words title;
  BothProse prose;              // the task, hints, and why the solution is so
  Lesson lesson;                // its only kernel is the solution
  std::vector<Settings> cases;  // to try a submission with, at least one; the first is measured
  Requirements requirements;
};

inline constexpr const char* kExerciseFile = "exercise.toml";
inline constexpr const char* kStarterFile = "starter.cu";
inline constexpr const char* kSolutionFile = "solution.cu";

/// The exercise in `folder`. Errors: File; Syntax with the line.
Result<Exercise> read_exercise(const std::filesystem::path& folder);
/// The folders of a lesson's exercises, by their field `order`, then by name.
std::vector<std::filesystem::path> exercise_folders(const std::filesystem::path& lesson);
/// "LESSON/EXERCISE" of all lessons in `lessons` (assets/lessons), in the lessons' order.
std::vector<std::string> exercise_names(const std::filesystem::path& lessons);
/// `name`: one of exercise_names(), or the path of an exercise's folder, or LESSON/EXERCISE where LESSON is
/// the path of a lesson's folder, as ./my-lesson/tiled.
Result<Exercise> find_exercise(const std::filesystem::path& lessons, std::string_view name);

/// "size=100x37": the toggles of a case that differ from their initial values, or "" where none does.
std::string case_text(const Exercise& exercise, const Settings& settings);

}  // namespace lanescope::lesson
