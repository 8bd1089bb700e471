// The stored settings of the window: layout of panels, theme, size of text. The format is Dear ImGui's
// settings text with an additional section. Test: tests/gui/settings_test.cpp

#pragma once

#include "view/workspace.h"

#include <filesystem>

namespace lanescope::shell {

/// A file that is missing or damaged changes nothing.
void restore_settings(const std::filesystem::path& file, view::Workspace& workspace);
/// Errors are ignored: the window is closing.
void keep_settings(const std::filesystem::path& file, view::Workspace& workspace);

}  // namespace lanescope::shell
