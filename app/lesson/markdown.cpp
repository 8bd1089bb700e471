#include "lesson/markdown.h"

#include "base/utf8.h"

#include <md4c.h>

namespace lanescope::lesson {
namespace {

/// Collects what md4c reports. A block of any other kind than those of Paragraph is one of prose.
struct Collector {
  std::vector<Paragraph> paragraphs;
  int strong = 0;
  int code = 0;
  bool begins = true;  // the next text opens a paragraph
  Paragraph::Kind kind = Paragraph::Kind::Plain;

  void add(std::string_view text) {
    using enum Run::Face;
    if (begins) paragraphs.push_back({kind, {}});
    begins = false;
    const Run::Face face = code > 0 ? Code : strong > 0 ? Strong : Plain;
    std::vector<Run>& runs = paragraphs.back().runs;
    if (runs.empty() || runs.back().face != face) runs.push_back({face, {}});
    runs.back().text += text;
  }
};

Collector& of(void* collector) { return *static_cast<Collector*>(collector); }

int enter_block(MD_BLOCKTYPE type, void*, void* data) {
  Collector& collector = of(data);
  collector.begins = true;
  if (type == MD_BLOCK_LI) collector.kind = Paragraph::Kind::Item;
  if (type == MD_BLOCK_CODE) collector.kind = Paragraph::Kind::Code;
  return 0;
}

int leave_block(MD_BLOCKTYPE type, void*, void* data) {
  Collector& collector = of(data);
  collector.begins = true;
  if (type == MD_BLOCK_LI || type == MD_BLOCK_CODE) collector.kind = Paragraph::Kind::Plain;
  return 0;
}

int change_span(MD_SPANTYPE type, void* data, int by) {
  if (type == MD_SPAN_STRONG || type == MD_SPAN_EM) of(data).strong += by;
  if (type == MD_SPAN_CODE) of(data).code += by;
  return 0;
}
int enter_span(MD_SPANTYPE type, void*, void* data) { return change_span(type, data, 1); }
int leave_span(MD_SPANTYPE type, void*, void* data) { return change_span(type, data, -1); }

int take_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* data) {
  const bool is_break = type == MD_TEXT_SOFTBR || type == MD_TEXT_BR;
  of(data).add(is_break ? std::string_view(" ") : std::string_view(text, size));
  return 0;
}

/// The line feed that ends each line of a block of code is not needed after its last one.
void drop_last_line_feeds(std::vector<Paragraph>& paragraphs) {
  for (Paragraph& paragraph : paragraphs)
    if (paragraph.kind == Paragraph::Kind::Code && paragraph.runs.back().text.ends_with('\n'))
      paragraph.runs.back().text.pop_back();
}

/// Characters of UTF-8, which stand for columns.
size_t columns_of(std::string_view text) {
  size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return count;
}

void append_wrapped(std::string& out, std::string_view text, size_t columns, std::string_view indent) {
  size_t used = columns_of(indent);
  bool at_start = true;
  while (!text.empty()) {
    const size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    if (word.empty()) continue;
    const size_t width = columns_of(word);
    if (!at_start && used + 1 + width > columns) {
      out += "\n";
      out += std::string(columns_of(indent), ' ');
      used = columns_of(indent);
      at_start = true;
    }
    if (!at_start) out += ' ';
    out += word;
    used += width + (at_start ? 0 : 1);
    at_start = false;
  }
  out += '\n';
}

}  // namespace

std::vector<Paragraph> parse_markdown(std::string_view markdown) {
  Collector collector;
  MD_PARSER parser{};
  parser.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
  parser.enter_block = enter_block;
  parser.leave_block = leave_block;
  parser.enter_span = enter_span;
  parser.leave_span = leave_span;
  parser.text = take_text;
  const std::string valid = valid_utf8(markdown);
  md_parse(valid.data(), static_cast<MD_SIZE>(valid.size()), &parser, &collector);
  drop_last_line_feeds(collector.paragraphs);
  return std::move(collector.paragraphs);
}

std::string plain_text(const std::vector<Paragraph>& paragraphs, size_t columns) {
  std::string out;
  const Paragraph* before = nullptr;
  for (const Paragraph& paragraph : paragraphs) {
    using enum Paragraph::Kind;
    const bool goes_on = before != nullptr && before->kind == Item && paragraph.kind == Item;
    if (before != nullptr && !goes_on) out += '\n';
    before = &paragraph;
    std::string text;
    for (const Run& run : paragraph.runs) text += run.text;
    if (paragraph.kind == Code) {
      out += text + '\n';
      continue;
    }
    const std::string_view indent = paragraph.kind == Item ? "- " : "";
    out += indent;
    append_wrapped(out, text, columns, indent);
  }
  return out;
}

}  // namespace lanescope::lesson
