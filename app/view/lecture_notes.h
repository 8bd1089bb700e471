// What the teacher sees in a window apart from the class's: the step's notes, what is said, what comes next,
// and how long the lecture has taken. Tests: tests/gui/lecture_bar_test.cpp

#pragma once

#include "session/lecture_state.h"
#include "session/snapshot.h"
#include "view/theme.h"

#include <string>
#include <vector>

namespace lanescope::view {

/// "3 / 8".
std::string count_text(const session::LectureState& lecture);

struct NotesPage {
  std::string title;  // of the lecture
  std::string count;  // "3 / 8"
  bool is_covered = false;
  Language language = Language::English;
  plot::Theme mode = plot::Theme::Light;
  session::LectureTexts texts;
  bool operator==(const NotesPage&) const = default;
};

/// What the notes say of the snapshot, which has a lecture.
NotesPage notes_page(const session::Snapshot& now, bool is_covered, plot::Theme mode);

/// Fills the main viewport; `minutes` since the lecture began.
void draw_notes(const Theme& theme, const NotesPage& page, int minutes);

}  // namespace lanescope::view
