// Findings that do not count: by a file, or by a comment in the source. A comment `// lanescope: allow KIND:
// REASON` at the end of a line is about that line; alone in its line, about the next one. A file in TOML has
// a table `allow` for each rule: kind, reason and, where it is not about all, kernel and line, the text of
// the source's line. Tests: tests/unit/report/suppressions_test.cpp

#pragma once

#include "base/error.h"
#include "report/report.h"
#include "report/source_texts.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::report {

struct SuppressionRule {
  std::string kind = {};
  std::string kernel = {};  // its name, with or without template arguments; empty: all
  std::string text = {};    // of the line; empty: all, of a rule of a file
  std::string reason = {};
  Location where = {};                 // of the rule itself
  std::optional<Location> about = {};  // of a comment: the line that it is about
};

/// Errors: File; Syntax with the line, for a key or a kind that is not known, or a rule without a reason.
Result<std::vector<SuppressionRule>> read_suppressions(const std::filesystem::path& file);

/// The rules in the comments of a source. What is wrong with a comment is a sentence in `problems`.
std::vector<SuppressionRule> rules_in_source(const std::string& file, std::string_view text,
                                             std::vector<std::string>& problems);

/// Marks the findings that a rule is about, counts them in the report, and says which rules none is about.
/// The comments are those of the files that the report names.
void apply_suppressions(std::vector<SuppressionRule> rules, SourceTexts& sources, Report& report);

}  // namespace lanescope::report
