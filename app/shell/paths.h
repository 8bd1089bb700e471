// Paths of the project's files. All are relative to the program's file, so that the project's folder can be
// moved. Test: tests/cli/place_test.cpp

#pragma once

#include "base/error.h"
#include "pipeline/options.h"

#include <filesystem>

namespace lanescope::shell {

struct Paths {
  std::filesystem::path program;  // the running program
  std::filesystem::path project;  // the folder with assets/ and kernels/
  std::filesystem::path assets;
  std::filesystem::path kernels;
  std::filesystem::path shaders;
  std::filesystem::path fonts;
  std::filesystem::path fetched;  // packages that the set-up fetched
  std::filesystem::path cache;    // compiled PTX; empty where no folder can be written
  std::filesystem::path config;   // of the person: how the window was left; empty where there is no home
  std::filesystem::path state;    // of the person: what the window was doing; empty where there is no home
};

/// From the path of the running program: PROJECT/build*/lanescope.
Result<Paths> find_paths();

pipeline::Options session_options(const Paths& paths);

}  // namespace lanescope::shell
