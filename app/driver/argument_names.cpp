#include "driver/argument_names.h"

#include "base/lines.h"
#include "base/source_name.h"

#include <algorithm>

namespace lanescope::driver {
namespace {

/// Where the parenthesis that opens before `from` closes; npos where it does not.
size_t end_of_list(std::string_view text, size_t from) {
  int depth = 1;
  for (size_t at = from; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[') ++depth;
    if (text[at] == ')' || text[at] == ']') --depth;
    if (depth == 0) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::vector<std::string> names_in(std::string_view text, std::string_view function) {
  const std::string head = "def " + std::string(function) + "(";
  const size_t found = text.rfind(head);
  std::vector<std::string> names;
  if (found == std::string_view::npos) return names;
  const size_t begin = found + head.size(), end = end_of_list(text, begin);
  if (end == std::string_view::npos) return names;
  std::string_view rest = text.substr(begin, end - begin);
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view one = trimmed(rest.substr(0, comma));
    const std::string_view name = trimmed(one.substr(0, one.find_first_of(":=")));
    if (!name.empty() && name != "*" && name != "/") names.emplace_back(name);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return names;
}

std::string source_of(const ptx::Program& program, SourceTexts& sources) {
  const auto origin =
      std::ranges::find_if(program.origins, [](const ptx::Origin& one) { return one.source.line > 0; });
  return origin == program.origins.end() ? std::string() : sources.text(origin->source.file);
}

std::vector<std::string> argument_names(const ptx::Program& program, SourceTexts& sources) {
  return names_in(source_of(program, sources), source_name_of(program.kernel));
}

}  // namespace lanescope::driver
