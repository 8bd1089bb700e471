// What the window finds again the next time: where panels stand, look, size of text. Kept as Dear ImGui's
// text with a section of ours. Test: tests/gui/settings_test.cpp

#pragma once

#include "view/workspace.h"

#include <filesystem>

namespace lanescope::shell {

/// A file that is missing or damaged changes nothing.
void restore_settings(const std::filesystem::path& file, view::Workspace& workspace);
/// A file that cannot be written is no reason to complain when one closes a window.
void keep_settings(const std::filesystem::path& file, view::Workspace& workspace);

}  // namespace lanescope::shell
