// Paths of the project's files. All are relative to the program's file, so that the project's folder or an
// installation can be moved. Caches and what is fetched are in the project's folder, but never in an
// installation, which may be read-only and several people's. Tests: tests/cli/place_test.cpp,
// tests/packages/install_test.py

#pragma once

#include "base/error.h"
#include "pipeline/options.h"

#include <cstdint>
#include <filesystem>

namespace lanescope::shell {

/// Where the program runs from: PROJECT/build*/lanescope, or PREFIX/bin/lanescope with the other files in
/// PREFIX/share/lanescope and PREFIX/lib/lanescope. The PREFIX of a wheel is Python's package
/// lanescope_program.
enum class Place : uint8_t { Project, Installation };

struct Paths {
  Place place = Place::Project;
  std::filesystem::path program;    // the running program
  std::filesystem::path project;    // the folder with assets/ and kernels/, and third_party/fetch.py
  std::filesystem::path libraries;  // that `lanescope run` puts before a program's own: libcuda.so.1
  std::filesystem::path assets;
  std::filesystem::path kernels;
  std::filesystem::path shaders;
  std::filesystem::path fonts;
  std::filesystem::path fetched;    // packages of PyPI; empty where no folder can be written
  std::filesystem::path installed;  // Python's folder of packages that a wheel is in; empty: it is in none
  std::filesystem::path cache;      // compiled PTX; empty where no folder can be written
  std::filesystem::path config;     // of the person: how the window was left; empty where there is no home
  std::filesystem::path state;      // of the person: what the window was doing; empty where there is no home
};

/// From the path of the running program.
Result<Paths> find_paths();

pipeline::Options session_options(const Paths& paths);

}  // namespace lanescope::shell
