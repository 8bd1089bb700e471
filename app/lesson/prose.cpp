#include "lesson/prose.h"

#include "base/lines.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace lanescope::lesson {
namespace {

namespace fs = std::filesystem;
using Kind = Part::Kind;

/// The headings, and whether a name follows.
struct Heading {
  std::string_view word;
  Kind kind;
  bool has_name;
};
constexpr std::array kHeadings{Heading{"kernel", Kind::Kernel, true},
                               Heading{"question", Kind::Question, true}, Heading{"hint", Kind::Hint, false},
                               Heading{"solution", Kind::Solution, false}};
constexpr std::string_view kKnown =
    "'# kernel NAME', '# question NAME', '## answer', '## when EXPRESSION', '# hint' and '# solution'";

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

/// Without empty lines at either end.
std::string without_empty_ends(std::string_view text) {
  constexpr std::string_view kEmpty = " \t\r\n";
  const size_t first = text.find_first_not_of(kEmpty);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kEmpty) + 1 - first));
}

/// Reads a file line by line into parts and sections.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) { begin({Kind::Introduction, {}, {file, 1}, {}}); }

  Result<void> take(std::string_view line, int number) {
    const Location where{file_, number};
    if (line.starts_with("```")) in_code_ = !in_code_;
    const bool is_heading = !in_code_ && line.starts_with('#');
    if (is_heading && line.starts_with("# ")) return part(trimmed(line.substr(2)), where);
    if (is_heading && line.starts_with("## ")) return section(trimmed(line.substr(3)), where);
    if (is_heading) return unknown(line, where);
    Section& last = prose_.back().sections.back();
    last.markdown += line;
    last.markdown += '\n';
    return {};
  }

  Prose finish() {
    for (Part& part : prose_)
      for (Section& section : part.sections) section.markdown = without_empty_ends(section.markdown);
    for (Part& part : prose_)
      std::erase_if(part.sections, [](const Section& section) { return section.markdown.empty(); });
    if (prose_.front().sections.empty()) prose_.erase(prose_.begin());
    return std::move(prose_);
  }

 private:
  void begin(Part part) {
    part.sections.push_back({{}, {}, part.where});
    prose_.push_back(std::move(part));
  }

  static std::unexpected<Error> unknown(std::string_view heading, const Location& where) {
    return fail(ErrorKind::Syntax,
                fmt::format("'{}' is no heading of a lesson's text; known are {}", heading, kKnown), where);
  }

  Result<void> part(std::string_view heading, const Location& where) {
    const std::string_view word = first_word(heading);
    const std::string name(trimmed(heading.substr(word.size())));
    const auto known = std::ranges::find(kHeadings, word, &Heading::word);
    if (known == kHeadings.end() || known->has_name == name.empty())
      return unknown(fmt::format("# {}", heading), where);
    Part made{.kind = known->kind, .name = name, .where = where, .sections = {}};
    // Hints come one after the other.
    const auto same = std::ranges::find_if(prose_, [&](const Part& one) { return one.matches(made); });
    if (made.kind != Kind::Hint && same != prose_.end())
      return fail(
          ErrorKind::Syntax,
          fmt::format("'# {}' is here and in line {}; put the texts together", heading, same->where.line),
          where);
    begin(std::move(made));
    return {};
  }

  Result<void> section(std::string_view heading, const Location& where) {
    const Part& last = prose_.back();
    if (heading == "answer" && last.kind == Kind::Question) {
      begin({.kind = Kind::Answer, .name = last.name, .where = where, .sections = {}});
      return {};
    }
    if (first_word(heading) != "when") return unknown(fmt::format("## {}", heading), where);
    TRY(Expression when, Expression::parse(trimmed(heading.substr(4)), where));
    prose_.back().sections.push_back({std::move(when), {}, where});
    return {};
  }

  const std::string& file_;
  Prose prose_;
  bool in_code_ = false;
};

/// Error where a part of `one` is not in `other`.
Result<void> check_has_parts(const Prose& one, const Prose& other, const fs::path& other_file) {
  for (const Part& part : one) {
    const auto same = [&](const Part& its) { return its.matches(part); };
    if (std::ranges::count_if(one, same) == std::ranges::count_if(other, same)) continue;
    return fail(ErrorKind::Syntax,
                fmt::format("this part is not in {} as often as here; both languages have the same headings",
                            other_file.filename().string()),
                part.where);
  }
  return {};
}

}  // namespace

Result<Prose> parse_prose(std::string_view text, const std::string& file) {
  Reader reader(file);
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    TRY_VOID(reader.take(line, ++number));
  }
  return reader.finish();
}

Result<Prose> read_prose(const fs::path& file) {
  const Location where{file.string(), 0};
  std::error_code error;
  if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > kMaximumProseBytes || error)
    return fail(ErrorKind::File,
                fmt::format("a text file of at most {} KiB was expected", kMaximumProseBytes >> 10), where);
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return fail(ErrorKind::File, "the file cannot be read; check its permissions", where);
  return parse_prose(text, file.string());
}

const Part* find_part(const Prose& prose, Kind kind, std::string_view name) {
  const auto found =
      std::ranges::find_if(prose, [&](const Part& part) { return part.kind == kind && part.name == name; });
  return found == prose.end() ? nullptr : &*found;
}

std::vector<std::string> texts_of(const Prose& prose, Part::Kind kind) {
  std::vector<std::string> texts;
  for (const Part& part : prose) {
    if (part.kind != kind) continue;
    std::string& text = texts.emplace_back();
    for (const Section& section : part.sections) text += (text.empty() ? "" : "\n\n") + section.markdown;
  }
  return texts;
}

Result<BothProse> read_both_prose(const fs::path& folder) {
  const fs::path english = folder / "english.md", french = folder / "french.md";
  std::error_code ignored;
  BothProse both;
  if (fs::exists(english, ignored)) {
    TRY(both.english, read_prose(english));
  }
  both.french = both.english;
  if (!fs::exists(french, ignored)) return both;
  TRY(both.french, read_prose(french));
  if (!fs::exists(english, ignored)) both.english = both.french;
  TRY_VOID(check_has_parts(both.english, both.french, french));
  TRY_VOID(check_has_parts(both.french, both.english, english));
  return both;
}

}  // namespace lanescope::lesson
