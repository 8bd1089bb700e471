#include "base/escape.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace lanescope {
namespace {

constexpr std::array kShort{std::pair{'"', '"'}, std::pair{'\\', '\\'}, std::pair{'n', '\n'},
                            std::pair{'t', '\t'}, std::pair{'r', '\r'}};

/// The byte of the three octal digits at the start.
std::optional<char> octal_byte(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '7'; };
  if (text.size() < 3 || !std::ranges::all_of(text.substr(0, 3), is_digit) || text[0] > '3') return {};
  return static_cast<char>((text[0] - '0') << 6 | (text[1] - '0') << 3 | (text[2] - '0'));
}

}  // namespace

std::string unescaped(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    const auto found = c == '\\' && !text.empty()
                           ? std::ranges::find(kShort, text.front(), &std::pair<char, char>::first)
                           : kShort.end();
    if (found != kShort.end()) {
      plain += found->second;
      text.remove_prefix(1);
    } else if (const auto byte = c == '\\' ? octal_byte(text) : std::nullopt) {
      plain += *byte;
      text.remove_prefix(3);
    } else {
      plain += c;
    }
  }
  return plain;
}

std::string escaped(std::string_view text) {
  std::string written;
  for (const char c : text) {
    const auto found = std::ranges::find(kShort, c, &std::pair<char, char>::second);
    if (found != kShort.end()) {
      written += {'\\', found->first};
    } else if (c < ' ' || c > '~') {
      written += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      written += c;
    }
  }
  return written;
}

std::string without_control_characters(std::string_view text) {
  std::string shown;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const auto byte = static_cast<unsigned char>(c);
    // UTF-8 writes the controls U+0080 to U+009F, of which U+009B begins an escape sequence, as two bytes.
    const bool is_wide_control = byte == 0xc2 && at + 1 < text.size() &&
                                 static_cast<unsigned char>(text[at + 1]) >= 0x80 &&
                                 static_cast<unsigned char>(text[at + 1]) < 0xa0;
    if (is_wide_control) {
      shown += '?';
      ++at;
    } else if (byte == 0x7f || (byte < 0x20 && c != '\n' && c != '\t')) {
      shown += {'^', static_cast<char>(c ^ 0x40)};
    } else {
      shown += c;
    }
  }
  return shown;
}

}  // namespace lanescope
