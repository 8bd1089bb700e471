#include "view/prose.h"

#include "base/lines.h"
#include "lesson/words_of.h"

#include <algorithm>
#include <cmath>

namespace lanescope::view {
namespace {

constexpr float kCodeSize = 0.92f;  // the face of code is wider than that of words

/// Draws words one after the other.
class Writer {
 public:
  Writer(const Theme& theme, const TextStyle& style, float indent)
      : theme_(theme),
        style_(style),
        start_(ImGui::GetCursorScreenPos()),
        width_(ImGui::GetContentRegionAvail().x),
        indent_(indent),
        space_(text_width(theme, Face::Regular, style.relative, " ")),
        line_(std::round(theme.em(style.relative) * kLineSpacing)),
        at_{start_.x + indent, start_.y + line_ / 2} {}

  void bullet() {
    const float radius = theme_.em(0.14f);
    ImGui::GetWindowDrawList()->AddCircleFilled({start_.x + indent_ / 2, at_.y}, radius,
                                                theme_.color(style_.color));
  }

  /// After a space where it is not the first of its line.
  void write(const lesson::Word& word) {
    float width = 0;
    for (const lesson::WordPart& part : word) width += width_of(part);
    const float space = at_.x > start_.x + indent_ ? space_ : 0;
    at_.x += space;
    if (space > 0 && at_.x + width > start_.x + width_) break_line();
    for (const lesson::WordPart& part : word) {
      draw_text(theme_, *ImGui::GetWindowDrawList(), at_, style_of(part.face), part.text);
      at_.x += width_of(part);
    }
  }

  /// A line of code, which is not wrapped.
  void write_code(std::string_view line) {
    draw_text(theme_, *ImGui::GetWindowDrawList(), at_, style_of(lesson::Run::Face::Code), line,
              width_ - indent_);
  }

  void break_line() { at_ = {start_.x + indent_, at_.y + line_}; }

  /// Moves the cursor below what was written.
  void finish() const {
    ImGui::SetCursorScreenPos(start_);
    ImGui::Dummy({width_, at_.y + line_ / 2 - start_.y});
  }

 private:
  float width_of(const lesson::WordPart& part) const {
    const TextStyle style = style_of(part.face);
    return text_width(theme_, style.face, style.relative, part.text);
  }

  TextStyle style_of(lesson::Run::Face face) const {
    TextStyle style = style_;
    if (face == lesson::Run::Face::Strong) style.face = Face::Strong;
    if (face == lesson::Run::Face::Code) {
      style.face = Face::Mono;
      style.relative *= kCodeSize;
    }
    return style;
  }

  const Theme& theme_;
  TextStyle style_;
  ImVec2 start_;
  float width_, indent_, space_, line_;
  ImVec2 at_;  // the middle of the line, where the next word begins
};

void write_code(Writer& writer, const lesson::Paragraph& paragraph) {
  for (const lesson::Run& run : paragraph.runs) {
    const auto lines = lines_of(run.text);
    for (size_t n = 0; n < lines.size(); ++n) {
      if (n > 0) writer.break_line();
      writer.write_code(lines[n]);
    }
  }
}

}  // namespace

void draw_prose(const Theme& theme, const TextStyle& style,
                const std::vector<lesson::Paragraph>& paragraphs) {
  using enum lesson::Paragraph::Kind;
  const lesson::Paragraph* before = nullptr;
  for (const lesson::Paragraph& paragraph : paragraphs) {
    const bool goes_on = before != nullptr && before->kind == Item && paragraph.kind == Item;
    if (before != nullptr && !goes_on) gap(theme, Space::Small);
    before = &paragraph;
    Writer writer(theme, style, paragraph.kind == Item ? theme.em(1.1f) : 0);
    if (paragraph.kind == Item) writer.bullet();
    if (paragraph.kind == Code) {
      write_code(writer, paragraph);
    } else {
      for (const lesson::Word& word : lesson::words_of(paragraph.runs)) writer.write(word);
    }
    writer.finish();
  }
}

}  // namespace lanescope::view
