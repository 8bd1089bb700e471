#include "view/prose.h"

#include "base/lines.h"

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
        line_(std::round(theme.em(style.relative) * kLineSpacing)),
        at_{start_.x + indent, start_.y + line_ / 2} {}

  void bullet() {
    const float radius = theme_.em(0.14f);
    ImGui::GetWindowDrawList()->AddCircleFilled({start_.x + indent_ / 2, at_.y}, radius,
                                                theme_.color(style_.color));
  }

  void write(const lesson::Run& run) {
    const TextStyle style = style_of(run.face);
    std::string_view text = run.text;
    while (!text.empty()) {
      const bool is_space = text.front() == ' ';
      const size_t length = std::min(is_space ? text.find_first_not_of(' ') : text.find(' '), text.size());
      const std::string_view word = text.substr(0, length);
      text.remove_prefix(length);
      const float width = text_width(theme_, style.face, style.relative, word);
      if (is_space) {
        gap_ = text_width(theme_, Face::Regular, style_.relative, " ");
        continue;
      }
      if (at_.x + gap_ + width > start_.x + width_ && at_.x > start_.x + indent_) break_line();
      at_.x += gap_;
      gap_ = 0;
      draw_text(theme_, *ImGui::GetWindowDrawList(), at_, style, word);
      at_.x += width;
    }
  }

  /// A line of code, which is not wrapped.
  void write_code(std::string_view line) {
    draw_text(theme_, *ImGui::GetWindowDrawList(), at_, style_of(lesson::Run::Face::Code), line,
              width_ - indent_);
  }

  void break_line() {
    at_ = {start_.x + indent_, at_.y + line_};
    gap_ = 0;
  }

  /// Moves the cursor below what was written.
  void finish() const {
    ImGui::SetCursorScreenPos(start_);
    ImGui::Dummy({width_, at_.y + line_ / 2 - start_.y});
  }

 private:
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
  float width_, indent_, line_;
  ImVec2 at_;  // the middle of the line, where the next word begins
  float gap_ = 0;
};

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
    for (const lesson::Run& run : paragraph.runs) {
      if (paragraph.kind != Code) {
        writer.write(run);
        continue;
      }
      const auto lines = lines_of(run.text);
      for (size_t n = 0; n < lines.size(); ++n) {
        if (n > 0) writer.break_line();
        writer.write_code(lines[n]);
      }
    }
    writer.finish();
  }
}

}  // namespace lanescope::view
