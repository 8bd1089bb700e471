#include "view/code.h"

#include "view/widgets.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace lanescope::view {

using plot::Role;

float code_line_height(const Theme& theme) {
  constexpr float kLine = 1.5f;  // in ems
  return std::round(theme.em(kCode) * kLine);
}

void draw_code(const Theme& theme, ImDrawList& list, ImVec2 left_middle, const ListingLine& line) {
  const float em = theme.em(kCode), size = theme.font_size(Face::Mono, em);
  ImFont* font = theme.font(Face::Mono);
  const ImVec2 at{std::floor(left_middle.x), std::floor(left_middle.y - size / 2)};
  const float advance = font->CalcTextSizeA(size, FLT_MAX, 0, "0").x;
  const auto put = [&](uint32_t begin, uint32_t end, Role role) {
    if (begin >= end) return;
    // The face is monospaced; multi-byte characters count once.
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    const auto before =
        std::count_if(line.text.begin(), line.text.begin() + begin, [&](char c) { return !continues(c); });
    list.AddText(font, size, {at.x + advance * static_cast<float>(before), at.y}, theme.color(role),
                 line.text.data() + begin, line.text.data() + end);
  };
  uint32_t done = 0;
  for (const Word& word : line.words) {
    put(done, word.begin, Role::Ink);
    put(word.begin, word.end, word.role);
    done = word.end;
  }
  put(done, static_cast<uint32_t>(line.text.size()), Role::Ink);
}

float code_width(const Theme& theme, const std::vector<ListingLine>& lines) {
  size_t longest = 0;
  for (const ListingLine& line : lines) longest = std::max(longest, line.text.size());
  return static_cast<float>(longest) * text_width(theme, Face::Mono, kCode, "0");
}

}  // namespace lanescope::view
