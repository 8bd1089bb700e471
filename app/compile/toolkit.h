// The CUDA toolkit whose nvcc compiles whole programs: an installed one, or the packages of PyPI that
// third_party/fetch.py or pip unpacks. Tests: tests/unit/compile/toolkit_test.cpp

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct Toolkit {
  std::filesystem::path nvcc;    // the program
  std::filesystem::path folder;  // bin/, include/, lib64/ are in it
};

/// In this order: the folder that LANESCOPE_NVCC, CUDA_HOME or CUDA_PATH names, nvcc on PATH,
/// /usr/local/cuda* (the newest first), the packages that pip installed with a wheel in `installed`, those
/// that third_party/fetch.py unpacked in `fetched`. None where there is no nvcc. A wrapper of Lanescope's on
/// PATH does not count.
std::optional<Toolkit> find_toolkit(const std::filesystem::path& fetched,
                                    const std::filesystem::path& installed = {});

/// Folder in which find_toolkit() expects the fetched packages.
std::filesystem::path fetched_toolkit(const std::filesystem::path& fetched);

/// Options of nvcc to link programs with the toolkit's shared runtime library. A tree as pip unpacks it
/// needs the library's path, since it lacks lib64/ and the names that a linker looks for.
std::vector<std::string> runtime_words_of(const Toolkit& toolkit);

/// Architecture to compile for, from the words of `nvcc --list-gpu-arch`: compute_90, whose PTX all devices
/// of assets/devices run, else the next older one, else the oldest; empty where there is none.
std::string architecture_of(std::string_view list);

/// Changes with the file of a program: its path without links, its size and its time.
std::string identity_of_program(const std::filesystem::path& program);

/// The file that a shell would start for `name`; empty where PATH has none.
std::filesystem::path find_on_path(std::string_view name);

}  // namespace lanescope::compile
