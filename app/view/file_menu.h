// The menu File: opening a file, the files that were opened before, the lessons. Test:
// tests/gui/file_test.cpp

#pragma once

#include "view/context.h"
#include "view/preferences.h"

namespace lanescope::view {

float file_menu_width(const Context& context);
/// Draws its button at the cursor. Returns whether the dialog is asked for.
bool draw_file_menu(const Context& context, const Preferences& preferences);

/// Puts the file that is open first among the recent ones.
void note_recent(const session::Snapshot& now, Preferences& preferences);

}  // namespace lanescope::view
