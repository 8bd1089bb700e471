// The files of an exercise that its test runs, and what a mistake says of its answer: the first line
// "// fails: CHECK: WORDS", and "// here" at the end of the line that is to be named.

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

/// The answer that a mistake asks for.
struct ExpectedAnswer {
  std::string check;  // empty: the first line names none
  std::string words;  // that the sentence has
  int line = 0;       // that is named; 0: none, as for an element that nothing has written
};

inline ExpectedAnswer answer_of(const std::filesystem::path& file) {
  constexpr std::string_view kOpening = "// fails: ", kSeparator = ": ", kMark = "// here";
  ExpectedAnswer answer;
  std::ifstream stream(file);
  std::string text;
  for (int line = 1; std::getline(stream, text); ++line) {
    if (text.ends_with(kMark)) answer.line = line;
    if (line > 1 || !text.starts_with(kOpening)) continue;
    const size_t end = text.find(kSeparator, kOpening.size());
    if (end == std::string::npos) continue;
    answer.check = text.substr(kOpening.size(), end - kOpening.size());
    answer.words = text.substr(end + kSeparator.size());
  }
  return answer;
}

}  // namespace lanescope::tests
