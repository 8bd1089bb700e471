// Pixels as a PNG file.

#pragma once

#include "shell/window/gl_window.h"

#include <filesystem>

namespace lanescope::shell {

Result<void> write_png(const Image& image, const std::filesystem::path& file);

}  // namespace lanescope::shell
