// A session that the window saved, as the first view of a handout. Test: tests/cli/handout_test.cpp

#pragma once

#include "handout/lab.h"
#include "shell/paths.h"

#include <string>

namespace lanescope::shell {

/// What a handout of a lesson shows first.
struct FirstView {
  lesson::Lesson lesson;
  model::Device device;
  handout::Wish wish;
};

/// By the extension.
bool is_saved_session(const std::string& name);

/// What a saved session shows: its lesson, its place, and its A. `name`: of its file. Errors: those of
/// reading it; Usage for a session of a file, or whose A is of another lesson.
Result<FirstView> view_of_session(const std::string& name, const Paths& paths);

}  // namespace lanescope::shell
