// A picture on the clipboard. Method: GLFW's clipboard holds text alone, so the desktop's own tool takes the
// PNG: wl-copy with Wayland, xclip with X11. Test: tests/gui/export_test.cpp

#pragma once

#include "base/error.h"

#include <filesystem>
#include <functional>

namespace lanescope::shell {

/// `write` writes the PNG to the file that it gets. Error: of `write`; Unsupported: the tool is missing, with
/// what to install, or what it said.
Result<void> copy_picture(const std::function<Result<void>(const std::filesystem::path&)>& write);

}  // namespace lanescope::shell
