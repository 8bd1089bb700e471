// The window with the teacher's notes, in the process that NotesProcess starts.
// Tests: tests/gui/lecture_bar_test.cpp

#pragma once

#include "base/error.h"

#include <filesystem>

namespace lanescope::shell {

/// Shows the pages that come on standard input, and writes a line for each key, until the input ends or the
/// window is closed. Returns the exit status.
Result<int> run_notes_window(const std::filesystem::path& fonts);

}  // namespace lanescope::shell
