#include "plot/text_width.h"

#include <array>
#include <cstdint>

namespace lanescope::plot {
namespace {

constexpr std::string_view kEllipsis = "…";

/// Thousandths of an em for U+0020 to U+007E.
constexpr auto kAscii = std::to_array<uint16_t>(
    {281, 278, 403, 631, 651, 812, 639, 222, 362, 362, 500, 659, 280, 460, 276, 357, 651, 651, 651,
     651, 651, 651, 651, 651, 651, 651, 276, 280, 659, 659, 659, 507, 936, 676, 651, 727, 719, 598,
     587, 743, 740, 264, 543, 652, 562, 889, 753, 761, 635, 761, 639, 638, 642, 741, 676, 949, 642,
     665, 625, 362, 357, 362, 469, 452, 497, 564, 621, 558, 621, 582, 361, 609, 591, 237, 237, 544,
     237, 869, 585, 597, 609, 609, 372, 523, 364, 581, 557, 812, 540, 557, 541, 362, 327, 362, 659});

/// Letters outside ASCII: accented letters count as their widest kind, everything unknown as a full em.
uint16_t width_beyond_ascii(char32_t letter) {
  if (letter == 0x00a0 || letter == 0x202f) return 281;
  if (letter == 0x00b7) return 290;
  if (letter == 0x00d7 || letter == 0x2264 || letter == 0x2265 || letter == 0x00f7) return 673;
  if (letter == 0x00e6 || letter == 0x0153) return 990;
  if (letter >= 0x00ec && letter <= 0x00ef) return 260;
  if (letter >= 0x00e0 && letter <= 0x00ff) return 610;
  if (letter >= 0x00c0 && letter <= 0x00df) return 765;
  if (letter == 0x00b2 || letter == 0x00b3) return 460;
  if (letter == 0x2018 || letter == 0x2019) return 230;
  if (letter == 0x2013) return 500;
  if (letter == 0x2026) return 821;
  return 1000;
}

/// Takes one character off the front of `rest`. A broken sequence counts byte by byte.
char32_t next_character(std::string_view& rest) {
  const auto first = static_cast<unsigned char>(rest.front());
  const size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  if (length == 1 || length > rest.size()) {
    rest.remove_prefix(1);
    return first;
  }
  char32_t letter = first & (0xffu >> (length + 1));
  for (size_t n = 1; n < length; ++n) letter = letter << 6 | (static_cast<unsigned char>(rest[n]) & 0x3fu);
  rest.remove_prefix(length);
  return letter;
}

float advance(char32_t letter, Label::Face face) {
  constexpr float kMono = 600;
  constexpr float kStrong = 1.08f;
  if (face == Label::Face::Mono) return kMono;
  const uint16_t width = letter >= 0x20 && letter < 0x7f ? kAscii[letter - 0x20] : width_beyond_ascii(letter);
  return face == Label::Face::Strong ? static_cast<float>(width) * kStrong : static_cast<float>(width);
}

}  // namespace

float text_width(std::string_view text, float size, Label::Face face) {
  float thousandths = 0;
  while (!text.empty()) thousandths += advance(next_character(text), face);
  return thousandths * size / 1000;
}

std::string shorten(std::string_view text, float width, float size, Label::Face face) {
  if (text_width(text, size, face) <= width) return std::string(text);
  float left = width - text_width(kEllipsis, size, face);
  std::string_view rest = text;
  std::string_view before = rest;
  while (!rest.empty()) {
    before = rest;
    left -= advance(next_character(rest), face) * size / 1000;
    if (left < 0) break;
  }
  std::string_view kept = text.substr(0, text.size() - before.size());
  while (kept.ends_with(' ')) kept.remove_suffix(1);
  if (kept.empty()) return {};
  return std::string(kept).append(kEllipsis);
}

std::vector<std::string> wrap(std::string_view text, float width, float size, Label::Face face) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (word.empty()) continue;
    std::string longer = line.empty() ? std::string(word) : line + ' ' + std::string(word);
    if (!line.empty() && text_width(longer, size, face) > width) {
      lines.push_back(std::move(line));
      line = word;
    } else {
      line = std::move(longer);
    }
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace lanescope::plot
