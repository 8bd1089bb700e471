// A Markdown text as paragraphs of words in three faces: what the panels of the window draw and the command
// line prints. Method: md4c parses it; headings, links, images, tables and HTML become plain text.
// Tests: tests/unit/lesson/markdown_test.cpp

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::lesson {

/// A part of a paragraph in one face.
struct Run {
  enum class Face : uint8_t { Plain, Strong, Code };
  Face face = Face::Plain;
  std::string text;
  bool operator==(const Run&) const = default;
};

struct Paragraph {
  enum class Kind : uint8_t {
    Plain,
    Item,  // of a list
    Code   // lines that are not wrapped
  };
  Kind kind = Kind::Plain;
  std::vector<Run> runs;
  bool operator==(const Paragraph&) const = default;
};

std::vector<Paragraph> parse_markdown(std::string_view markdown);

/// For a terminal: paragraphs in lines of at most `columns` characters with empty lines between, and without
/// faces.
std::string plain_text(const std::vector<Paragraph>& paragraphs, size_t columns);

}  // namespace lanescope::lesson
