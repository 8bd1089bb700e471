// The bytes of a file as the text of an editor, and back without a change. Method: the editor has lines, and
// characters of 16 bits. What it cannot have (bytes that are no UTF-8, control characters, characters beyond
// U+FFFF, carriage returns within a text of mixed ends of lines) is shown byte by byte in a private range.
// Source: The Unicode Standard, "Private Use Area". Tests: tests/gui/editor_text_test.cpp

#pragma once

#include <string>
#include <string_view>

namespace lanescope::view {

struct EditorText {
  std::string text;          // UTF-8; lines end in a line feed
  bool has_mark = false;     // the file begins with a byte order mark
  bool has_returns = false;  // each of its lines ends in a carriage return and a line feed
};

EditorText editor_text(std::string_view bytes);
/// The bytes of a file with the text of an editor, which began as `opened`.
std::string file_bytes(std::string_view text, const EditorText& opened);

}  // namespace lanescope::view
