// The files of an exercise that its test runs, and what the first line of a mistake says.

#pragma once

#include "lesson/exercise.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::tests {

/// The files in mistakes/, by name.
inline std::vector<std::filesystem::path> mistakes_of(const lesson::Exercise& exercise) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(exercise.folder / "mistakes", none))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// CHECK of a file that opens with "// fails: CHECK"; empty where it does not.
inline std::string failing_check_of(const std::filesystem::path& file) {
  constexpr std::string_view kOpening = "// fails: ";
  std::ifstream stream(file);
  std::string first;
  std::getline(stream, first);
  return first.starts_with(kOpening) ? first.substr(kOpening.size()) : "";
}

}  // namespace lanescope::tests
