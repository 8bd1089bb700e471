#include "export/svg.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace lanescope::exporting {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Cairo numbers surfaces through the whole run of the program: `prefix`660 becomes `prefix`1, and so on.
std::string renumber(std::string_view svg, std::string_view prefix) {
  std::string result;
  std::vector<std::string_view> seen;
  while (true) {
    const size_t at = svg.find(prefix);
    if (at == std::string_view::npos) return result.append(svg);
    result.append(svg.substr(0, at + prefix.size()));
    svg.remove_prefix(at + prefix.size());
    const auto length = static_cast<size_t>(std::ranges::find_if_not(svg, is_digit) - svg.begin());
    // Only in id="..." or in a reference "#...", never in the description.
    const char before = at == 0 ? ' ' : result[result.size() - prefix.size() - 1];
    if (length == 0 || (before != '"' && before != '#')) continue;
    const std::string_view number = svg.substr(0, length);
    auto known = std::ranges::find(seen, number);
    if (known == seen.end()) known = seen.insert(known, number);
    result += fmt::to_string(known - seen.begin() + 1);
    svg.remove_prefix(length);
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n') {
      result += c;
    }
  }
  return result;
}

std::string escaped_in_quotes(std::string_view text) {
  std::string result;
  for (const char c : escaped(text)) {
    if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string finish_svg(std::string svg, std::span<const plot::Figure> figures) {
  for (const std::string_view prefix : {"surface", "image", "pattern", "clip", "mask"}) {
    svg = renumber(svg, prefix);
  }
  const size_t root = svg.find("<svg");
  const size_t open = root == std::string::npos ? root : svg.find('>', root);
  if (open == std::string::npos) return svg;
  std::string title, description;
  for (const plot::Figure& figure : figures) {
    if (!title.empty()) title += "; ", description += ' ';
    title += figure.title + (figure.subtitle.empty() ? "" : ": " + figure.subtitle);
    if (figures.size() > 1) description += figure.title + ": ";
    for (const plot::Headline& headline : figure.headlines)
      description += fmt::format("{} {}. ", headline.value, headline.label);
    for (const std::string& sentence : {figure.explanation, figure.source})
      if (!sentence.empty()) description += sentence + ' ';
    description += fmt::format("({})", name_of(figure.provenance));
  }
  svg.insert(open + 1,
             fmt::format("\n<title>{}</title>\n<desc>{}</desc>", escaped(title), escaped(description)));
  return svg;
}

}  // namespace lanescope::exporting
