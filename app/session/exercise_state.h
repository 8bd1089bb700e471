// The exercises of the open lesson, and what the checks found in the student's file for the chosen one.
// Tests: tests/unit/session/active_exercise_test.cpp

#pragma once

#include "base/error.h"
#include "lesson/exercise.h"
#include "lesson/markdown.h"
#include "pipeline/check.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// The texts of an exercise in one language.
struct ExerciseTexts {
  using Paragraphs = std::vector<lesson::Paragraph>;
  Paragraphs task;
  std::vector<Paragraphs> hints;  // in the order in which they are revealed
  Paragraphs explanation;         // of the solution
};

/// An exercise as it was read when the lesson was opened.
struct ListedExercise {
  std::string name;     // of its folder
  lesson::Words title;  // the name, if the exercise cannot be read
  lesson::Exercise exercise;
  ExerciseTexts english, french;
  std::string solution;        // source text
  std::optional<Error> error;  // why it cannot be read: only name and title are meaningful then
  const ExerciseTexts& texts_in(Language language) const {
    return language == Language::French ? french : english;
  }
};

/// The file that a student edits.
struct SubmissionFile {
  enum class Use : uint8_t {
    None,   // there is no such file yet
    Found,  // it exists, and is not used yet
    Checked
  };
  std::filesystem::path path;  // absolute
  Use use = Use::None;
};

struct ExerciseState {
  std::vector<std::shared_ptr<const ListedExercise>> listed;  // in the lesson's order
  std::shared_ptr<const ListedExercise> chosen;               // one of them; null where there is none
  SubmissionFile file;                                        // of the chosen one
  struct Progress {
    size_t cases_done = 0, cases = 0;
  };
  std::optional<Progress> checking;     // `checks` is of the file before
  std::vector<pipeline::Check> checks;  // empty before the first; with an error, of the file before
  std::optional<Error> error;           // why the file cannot be written or checked
};

}  // namespace lanescope::session
