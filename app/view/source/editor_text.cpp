#include "view/source/editor_text.h"

#include "base/utf8.h"

#include <algorithm>

namespace lanescope::view {
namespace {

constexpr std::string_view kMark = "\xef\xbb\xbf";

/// U+F700 to U+F7FF have the bytes 0 to 255.
void append_private(std::string& text, char byte) {
  const auto value = static_cast<unsigned char>(byte);
  text += '\xef';
  text += static_cast<char>(0x9c + (value >> 6));
  text += static_cast<char>(0x80 + (value & 0x3f));
}

bool is_private(std::string_view sequence) {
  return sequence.size() == 3 && sequence[0] == '\xef' && static_cast<unsigned char>(sequence[1]) >= 0x9c &&
         static_cast<unsigned char>(sequence[1]) <= 0x9f;
}

char private_byte(std::string_view sequence) {
  const unsigned high = static_cast<unsigned char>(sequence[1]) - 0x9cu;
  return static_cast<char>(high << 6 | (static_cast<unsigned char>(sequence[2]) & 0x3fu));
}

bool is_plain(std::string_view sequence) {
  if (sequence.size() == 1)
    return static_cast<unsigned char>(sequence[0]) >= ' ' || sequence[0] == '\n' || sequence[0] == '\t';
  return sequence.size() <= 3 && !is_private(sequence);
}

bool all_lines_have_returns(std::string_view text) {
  size_t lines = 0;
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    if (at == 0 || text[at - 1] != '\r') return false;
    ++lines;
  }
  return lines > 0;
}

}  // namespace

EditorText editor_text(std::string_view bytes) {
  EditorText made;
  made.has_mark = bytes.starts_with(kMark);
  if (made.has_mark) bytes.remove_prefix(kMark.size());
  made.has_returns = all_lines_have_returns(bytes);
  made.text.reserve(bytes.size());
  while (!bytes.empty()) {
    const size_t length = std::max<size_t>(utf8_length(bytes), 1);
    const std::string_view sequence = bytes.substr(0, length);
    if (made.has_returns && bytes.starts_with("\r\n")) {
      // The line feed follows.
    } else if (utf8_length(bytes) != 0 && is_plain(sequence)) {
      made.text += sequence;
    } else {
      for (const char byte : sequence) append_private(made.text, byte);
    }
    bytes.remove_prefix(length);
  }
  return made;
}

std::string file_bytes(std::string_view text, const EditorText& opened) {
  std::string bytes(opened.has_mark ? kMark : "");
  bytes.reserve(text.size());
  while (!text.empty()) {
    const size_t length = std::max<size_t>(utf8_length(text), 1);
    const std::string_view sequence = text.substr(0, length);
    if (is_private(sequence))
      bytes += private_byte(sequence);
    else if (opened.has_returns && sequence == "\n")
      bytes += "\r\n";
    else
      bytes += sequence;
    text.remove_prefix(length);
  }
  return bytes;
}

}  // namespace lanescope::view
