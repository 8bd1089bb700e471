#include "lesson/source_mark.h"

#include <algorithm>

namespace lanescope::lesson {
namespace {

constexpr std::string_view kMark = "// @";

/// Of a line: what is before the comment, the mark, and the words after it.
struct Parts {
  std::string_view code, mark, words;
};

Parts parts_of(std::string_view line) {
  const size_t comment = line.find(kMark);
  if (comment == std::string_view::npos) return {.code = line, .mark = {}, .words = {}};
  const std::string_view rest = line.substr(comment + kMark.size());
  const size_t end = rest.find_first_of(" \t\r");
  const size_t words = end == std::string_view::npos ? end : rest.find_first_not_of(" \t\r", end);
  return {.code = line.substr(0, comment),
          .mark = rest.substr(0, end),
          .words = words == std::string_view::npos ? std::string_view() : rest.substr(words)};
}

}  // namespace

std::string_view mark_of(std::string_view line) { return parts_of(line).mark; }

std::string without_marks(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const Parts parts = parts_of(text.substr(begin, end - begin));
    std::string_view code = parts.code;
    if (!parts.mark.empty() && parts.words.empty()) code = code.substr(0, code.find_last_not_of(" \t") + 1);
    shown += code;
    if (!parts.words.empty()) shown += "// ", shown += parts.words;
    if (end < text.size()) shown += '\n';
    begin = end + 1;
  }
  return shown;
}

}  // namespace lanescope::lesson
