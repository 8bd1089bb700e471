// Where the program finds what belongs to it. Everything lies beside the program's own file, so that the
// project's folder can be moved. Test: tests/cli/place_test.cpp

#pragma once

#include "base/error.h"
#include "pipeline/options.h"

#include <filesystem>

namespace lanescope::shell {

struct Paths {
  std::filesystem::path program;  // this one's own file
  std::filesystem::path project;  // the folder with assets/ and kernels/
  std::filesystem::path assets;
  std::filesystem::path kernels;
  std::filesystem::path shaders;
  std::filesystem::path fonts;
  std::filesystem::path fetched;  // packages that the set-up unpacked
  std::filesystem::path cache;    // compiled PTX; empty where no folder can be written
};

/// From the place of the running program: PROJECT/build*/lanescope.
Result<Paths> find_paths();

pipeline::Options session_options(const Paths& paths);

}  // namespace lanescope::shell
