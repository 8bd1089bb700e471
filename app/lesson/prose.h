// The texts of a lesson or an exercise: Markdown in english.md and french.md, whose headings say what a part
// is about:
//
//     What the lesson is about.
//     # kernel tiled
//     The column takes {{column.wavefronts_per_request}} wavefronts.
//     ## when padding == 0
//     Only shown with this setting of the toggles.
//     # question column
//     How many wavefronts does a column take?
//     ## answer
//     {{column.wavefronts_per_request}}, since ...
//
// Tests: tests/unit/lesson/prose_test.cpp

#pragma once

#include "base/error.h"
#include "base/text.h"
#include "lesson/expression.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::lesson {

/// Markdown with live numbers, and the toggles that it is shown with.
struct Section {
  std::optional<Expression> when;  // none: always
  std::string markdown;
  Location where;
};

/// What is below one heading.
struct Part {
  enum class Kind : uint8_t { Introduction, Kernel, Question, Answer, Hint, Solution };
  Kind kind = Kind::Introduction;
  std::string name;  // of the kernel or the question; empty for others
  Location where;
  std::vector<Section> sections;
  /// Whether both are about the same thing.
  bool matches(const Part& other) const { return kind == other.kind && name == other.name; }
};

/// The texts in one language, in the order of the file.
using Prose = std::vector<Part>;

/// The largest file that is read.
inline constexpr uint64_t kMaximumProseBytes = 256 << 10;

/// Errors: File; Syntax, with the line, for a heading that is none of the above or comes twice.
Result<Prose> read_prose(const std::filesystem::path& file);
Result<Prose> parse_prose(std::string_view text, const std::string& file);

/// The part of this kind and name; null where there is none.
const Part* find_part(const Prose& prose, Part::Kind kind, std::string_view name = {});
/// The Markdown of all parts of this kind, in order, each with all its sections.
std::vector<std::string> texts_of(const Prose& prose, Part::Kind kind);

/// A text for each language; French is English where there is no french.md.
struct BothProse {
  Prose english;
  Prose french;
  const Prose& in(Language language) const { return language == Language::French ? french : english; }
};

/// english.md and french.md of a folder; empty without them. Errors: those of read_prose(), and Syntax where
/// the two have not the same headings.
Result<BothProse> read_both_prose(const std::filesystem::path& folder);

}  // namespace lanescope::lesson
