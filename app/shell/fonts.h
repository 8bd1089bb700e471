// The faces of the window: Inter and JetBrains Mono, from assets/fonts.
// Method: digits of Inter get one width, as tabular figures have, so that numbers do not dance while one
// steps; Dear ImGui has no font features to ask for them. Test: tests/gui/toggles_test.cpp

#pragma once

#include "base/error.h"
#include "view/theme.h"

#include <filesystem>

namespace lanescope::shell {

/// Loads the faces into the current context of Dear ImGui.
Result<view::Faces> load_faces(const std::filesystem::path& folder);

}  // namespace lanescope::shell
