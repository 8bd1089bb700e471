#include "view/code.h"

#include "view/widgets.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace lanescope::view {

using plot::Role;

namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Characters; those of several bytes count once, since the face is monospaced.
size_t columns_of(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return !continues(c); }));
}

/// Where a row that begins at `begin` ends, with room for `columns` characters.
uint32_t end_of_row(std::string_view line, uint32_t begin, size_t columns) {
  size_t at = begin, count = 0;
  size_t cut = 0;  // after a space or an operator
  for (; at < line.size(); ++at) {
    if (continues(line[at])) continue;
    if (count++ == columns) break;
    const bool is_end = line[at] == ' ' || kBreakAfter.contains(line[at]);
    if (is_end && count > columns / 2) cut = at + 1;
  }
  if (at == line.size()) return static_cast<uint32_t>(at);
  return static_cast<uint32_t>(cut != 0 && cut > begin ? cut : at);
}

}  // namespace

float code_line_height(const Theme& theme) {
  constexpr float kLine = 1.5f;  // in ems
  return std::round(theme.em(kCode) * kLine);
}

float code_advance(const Theme& theme) {
  return theme.font(Face::Mono)
      ->CalcTextSizeA(theme.font_size(Face::Mono, theme.em(kCode)), FLT_MAX, 0, "0")
      .x;
}

float code_width(const Theme& theme, const std::vector<ListingLine>& lines) {
  size_t longest = 0;
  for (const ListingLine& line : lines) longest = std::max(longest, columns_of(line.text));
  return static_cast<float>(longest) * code_advance(theme);
}

float row_width(const Theme& theme, const ListingLine& line, const CodeRow& row) {
  const size_t columns = columns_of(std::string_view(line.text).substr(row.begin, row.end - row.begin));
  return static_cast<float>(row.indent + columns) * code_advance(theme);
}

std::vector<CodeRow> code_rows(const std::vector<ListingLine>& lines, size_t columns) {
  constexpr size_t kLeast = 8;
  columns = std::max(columns, kLeast);
  std::vector<CodeRow> rows;
  for (size_t n = 0; n < lines.size(); ++n) {
    const std::string& line = lines[n].text;
    const auto number = static_cast<int>(n);
    uint32_t begin = end_of_row(line, 0, columns);
    rows.push_back({number, 0, begin, 0});
    const size_t first = std::min(line.find_first_not_of(' '), line.size());
    const auto indent = static_cast<uint32_t>(std::min(first + 2, columns / 3));
    while (begin < line.size()) {
      const uint32_t end = end_of_row(line, begin, columns - indent);
      rows.push_back({number, begin, end, indent});
      begin = end;
    }
  }
  return rows;
}

void draw_code(const Theme& theme, ImDrawList& list, ImVec2 left_middle, const ListingLine& line) {
  draw_code(theme, list, left_middle, line, {0, 0, static_cast<uint32_t>(line.text.size()), 0});
}

void draw_code(const Theme& theme, ImDrawList& list, ImVec2 left_middle, const ListingLine& line,
               const CodeRow& row) {
  const float size = theme.font_size(Face::Mono, theme.em(kCode)), advance = code_advance(theme);
  ImFont* font = theme.font(Face::Mono);
  const ImVec2 at{std::floor(left_middle.x), std::floor(left_middle.y - size / 2)};
  size_t column = row.indent;
  uint32_t done = row.begin;
  const auto put = [&](uint32_t end, Role role) {
    end = std::min(end, row.end);
    if (done >= end) return;
    const char* text = line.text.data();
    list.AddText(font, size, {at.x + advance * static_cast<float>(column), at.y}, theme.color(role),
                 text + done, text + end);
    column += columns_of(std::string_view(text + done, text + end));
    done = end;
  };
  auto word = std::ranges::upper_bound(line.words, row.begin, {}, &Word::end);
  for (; word != line.words.end() && word->begin < row.end; ++word) {
    put(word->begin, Role::Ink);
    put(word->end, word->role);
  }
  put(row.end, Role::Ink);
}

}  // namespace lanescope::view
