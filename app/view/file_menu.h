// The menu File: opening a file, the files that were opened before, the lessons. Test:
// tests/gui/file_test.cpp

#pragma once

#include "view/context.h"
#include "view/preferences.h"

namespace lanescope::view {

float file_menu_width(const Context& context);
/// What the menu asks of the window: the dialog that opens, those that save the session and the trace.
struct FileRequests {
  bool open = false;
  bool save_session = false;
  bool save_trace = false;
  bool add_to_lecture = false;
  bool export_lecture = false;
};
/// Draws its button at the cursor.
FileRequests draw_file_menu(const Context& context, const Preferences& preferences);

/// Puts the file that is open first among the recent ones.
void note_recent(const session::Snapshot& now, Preferences& preferences);
void note_recent(const std::filesystem::path& file, Preferences& preferences);

}  // namespace lanescope::view
