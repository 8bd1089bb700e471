// Files that are read by their name and have to be files: a pipe may never have a writer, and what was read
// from it is gone. Tests: tests/cli/command_line_test.cpp

#pragma once

#include "base/error.h"

#include <filesystem>

namespace lanescope {

/// Errors: File, if this is a pipe or a socket.
Result<void> refuse_pipe(const std::filesystem::path& file);

}  // namespace lanescope
