// Bounds of a process that compiles a stranger's text: what it may read, and how much time and memory it may
// take. Source: the Linux kernel's documentation, "Landlock: unprivileged access control".
// Tests: tests/unit/shell/reading_test.cpp, tests/page/class_test.py

#pragma once

#include "base/error.h"

#include <filesystem>
#include <vector>

namespace lanescope::shell {

/// From now on this process opens no file but for reading, below `places`, which are folders or files; one
/// that does not exist is left out. Errors (Unsupported): the kernel cannot do that.
Result<void> read_only_below(const std::vector<std::filesystem::path>& places);

struct ProcessLimits {
  unsigned seconds = 20;           // of the processor
  unsigned megabytes = 4096;       // of addresses
  unsigned written_megabytes = 0;  // of a file
};
/// Errors (Internal): the system refuses.
Result<void> limit_this_process(const ProcessLimits& limits);

}  // namespace lanescope::shell
