// Adds what the window shows to a lecture.toml, as its last step. Method: the step is appended as text, so
// that what the teacher has written stays as it is. Tests: tests/unit/session/lecture_writing_test.cpp

#pragma once

#include "session/snapshot.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::session {

/// Where a step goes, and the panels that a new lecture keeps in sight.
struct LectureAddition {
  std::filesystem::path file;
  std::vector<std::string> panels;
};

/// Appends the snapshot's lesson, settings, device and selection to the file, which is made if there is none.
/// Returns the number of the step, from 1. Errors: Usage where no lesson is open, or one that a lecture in
/// this place cannot name; those of lesson::read_lecture() where the file is no lecture; File.
Result<size_t> add_to_lecture(const Snapshot& snapshot, const LectureAddition& addition,
                              const std::filesystem::path& lessons);

}  // namespace lanescope::session
