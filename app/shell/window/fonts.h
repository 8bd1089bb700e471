// The fonts of the window: Inter and JetBrains Mono, from assets/fonts. Method: digits of Inter get equal
// widths, as tabular figures have, so that numbers do not shift while stepping; Dear ImGui does not support
// font features. Test: tests/gui/toggles_test.cpp

#pragma once

#include "base/error.h"
#include "view/theme.h"

#include <filesystem>

namespace lanescope::shell {

/// Loads the faces into the current context of Dear ImGui.
Result<view::Faces> load_faces(const std::filesystem::path& folder);

}  // namespace lanescope::shell
