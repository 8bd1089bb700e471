// Texts of the sources that a report names, and the names that it gives them. Tests:
// tests/unit/report/suppressions_test.cpp

#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace lanescope::report {

/// Reads each file once, when it is first asked for.
class SourceTexts {
 public:
  /// The text of a file that need not be where its name says.
  void add(const std::string& file, std::string text) { texts_[file] = std::move(text); }
  /// Empty where the file cannot be read.
  const std::string& text(const std::string& file);
  /// A line, from 1, trimmed; empty where there is none.
  std::string line(const std::string& file, int number);

 private:
  std::map<std::string, std::string> texts_;  // [file]
};

/// The name of a file as a report has it: relative to `folder` where the file is below it, else as it is.
std::string name_below(const std::filesystem::path& folder, const std::string& file);

/// A sentence with the names of files below `folder` relative to it.
std::string sentence_below(const std::filesystem::path& folder, std::string sentence);

}  // namespace lanescope::report
