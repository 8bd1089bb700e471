// Options with the project's own lessons and kernels.

#pragma once

#include "pipeline/options.h"
#include "support/project.h"

#include <filesystem>

namespace lanescope::tests {

inline const std::filesystem::path kProject = tests::source_dir();

/// `threads`: of the emulator; 0: one per core.
inline pipeline::Options project_options(unsigned threads = 0) {
  pipeline::Options options;
  options.assets = kProject / "assets";
  options.kernels = kProject / "kernels";
  // Toggles beyond the stored presets are compiled once.
  options.fetched = kProject / ".cache/third_party";
  options.cache = kProject / ".cache/ptx";
  options.threads = threads;
  return options;
}

}  // namespace lanescope::tests
