#include "export/page.h"

#include "plot/text_width.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace lanescope::exporting {
namespace {

using plot::Color;
using plot::Label;
using plot::Role;

Role badge_role(Provenance provenance) {
  switch (provenance) {
    case Provenance::Measured:
      return Role::Measured;
    case Provenance::Recorded:
      return Role::Recorded;
    case Provenance::Emulated:
    case Provenance::Traced:
      return Role::Emulated;
    case Provenance::Modelled:
      return Role::Modelled;
  }
  return Role::Modelled;
}

plot::Mark moved(plot::Mark mark, float x, float y) {
  if (auto* line = std::get_if<plot::Line>(&mark)) {
    line->x1 += x, line->x2 += x, line->y1 += y, line->y2 += y;
  } else if (auto* rect = std::get_if<plot::Rect>(&mark)) {
    rect->x += x, rect->y += y;
  } else if (auto* label = std::get_if<Label>(&mark)) {
    label->x += x, label->y += y;
  } else if (auto* cells = std::get_if<plot::Cells>(&mark)) {
    cells->x += x, cells->y += y;
  }
  return mark;
}

/// Fills a page from top to bottom.
class Composer {
 public:
  explicit Composer(const plot::Figure& figure)
      : figure_(figure), text_(figure.text), margin_(1.2f * figure.text) {
    headline_width_ = width_of_headlines();
    page_.size.width = std::ceil(std::max(figure.size.width + headline_width_ + 2 * margin_, 24 * text_));
    y_ = margin_;
  }

  Page compose() && {
    add_title();
    add_paragraph(figure_.warning, text_, Role::Bad, Label::Face::Strong);
    add_headlines_and_marks();
    add_paragraph(figure_.explanation, text_, Role::Ink, Label::Face::Regular);
    add_paragraph(figure_.source, 0.85f * text_, Role::Dim, Label::Face::Regular);
    // Whole points: a page that ends within a pixel would have a ragged edge.
    page_.size = {std::ceil(page_.size.width), std::ceil(y_ - 0.5f * text_ + margin_)};
    return std::move(page_);
  }

 private:
  float headline_size() const { return 2 * text_; }
  float right() const { return page_.size.width - margin_; }

  float width_of_headlines() const {
    float width = 0;
    for (const plot::Headline& headline : figure_.headlines) {
      width =
          std::max({width, plot::text_width(headline.value, headline_size(), Label::Face::Strong),
                    std::min(plot::text_width(headline.label, text_, Label::Face::Regular), 8.5f * text_)});
    }
    return width == 0 ? 0 : width + 1.2f * text_;
  }

  void add(Label label) { page_.marks.emplace_back(std::move(label)); }

  void add_title() {
    const float size = 1.4f * text_;
    const float badge_left = add_badge(y_ + size / 2);
    const float title_right = margin_ + plot::text_width(figure_.title, size, Label::Face::Strong);
    add({.x = margin_,
         .y = y_ + size / 2,
         .text = plot::shorten(figure_.title, badge_left - margin_ - text_, size, Label::Face::Strong),
         .size = size,
         .color = Color::of(Role::Ink),
         .face = Label::Face::Strong});
    const float beside = title_right + 0.8f * text_;
    const bool fits =
        beside + plot::text_width(figure_.subtitle, text_, Label::Face::Regular) <= badge_left - 0.8f * text_;
    if (fits && !figure_.subtitle.empty()) {
      add({.x = beside,
           .y = y_ + size / 2 + 0.1f * text_,
           .text = figure_.subtitle,
           .size = text_,
           .color = Color::of(Role::Dim)});
    }
    y_ += size + 0.8f * text_;
    if (!fits) add_paragraph(figure_.subtitle, text_, Role::Dim, Label::Face::Regular);
    y_ += 0.2f * text_;
  }

  /// A rounded outline with the provenance in capitals of its color; returns its left edge.
  float add_badge(float middle) {
    const std::string text(say(figure_.language, badge_text(figure_.provenance)));
    const float size = 0.9f * text_;
    const float width = plot::text_width(text, size, Label::Face::Strong) + 1.4f * size;
    const float height = 1.7f * size;
    const Color color = Color::of(badge_role(figure_.provenance));
    page_.marks.emplace_back(plot::Rect{.x = right() - width,
                                        .y = middle - height / 2,
                                        .width = width,
                                        .height = height,
                                        .radius = height / 2,
                                        .fill = {},
                                        .stroke = color,
                                        .stroke_width = 1.2f});
    add({.x = right() - width / 2,
         .y = middle,
         .text = text,
         .size = size,
         .color = color,
         .anchor = Label::Anchor::Middle,
         .face = Label::Face::Strong});
    return right() - width;
  }

  void add_headlines_and_marks() {
    const float top = y_;
    for (const plot::Headline& headline : figure_.headlines) {
      const float value = headline_size();
      add({.x = margin_,
           .y = y_ + value / 2,
           .text = headline.value,
           .size = value,
           .color = headline.color,
           .face = Label::Face::Strong});
      y_ += value + 0.15f * text_;
      for (const std::string& line : plot::wrap(
               headline.label, std::max(headline_width_ - 1.2f * text_, 1.0f), text_, Label::Face::Regular)) {
        add({.x = margin_, .y = y_ + text_ / 2, .text = line, .size = text_, .color = Color::of(Role::Dim)});
        y_ += 1.2f * text_;
      }
      y_ += 0.7f * text_;
    }
    for (const plot::Mark& mark : figure_.marks) {
      page_.marks.push_back(moved(mark, margin_ + headline_width_, top));
    }
    y_ = std::max(y_, top + figure_.size.height) + 0.9f * text_;
  }

  void add_paragraph(const std::string& text, float size, Role role, Label::Face face) {
    for (const std::string& line : plot::wrap(text, right() - margin_, size, face)) {
      add({.x = margin_,
           .y = y_ + size / 2,
           .text = line,
           .size = size,
           .color = Color::of(role),
           .face = face});
      y_ += 1.4f * size;
    }
    if (!text.empty()) y_ += 0.3f * text_;
  }

  const plot::Figure& figure_;
  Page page_;
  float text_;
  float margin_;
  float headline_width_ = 0;
  float y_ = 0;
};

}  // namespace

Text badge_text(Provenance provenance) {
  switch (provenance) {
    case Provenance::Measured:
      return Text::measured;
    case Provenance::Recorded:
      return Text::recorded;
    case Provenance::Emulated:
      return Text::emulated;
    case Provenance::Traced:
      return Text::traced;
    case Provenance::Modelled:
      return Text::modelled;
  }
  return Text::modelled;
}

Page compose(const plot::Figure& figure) { return Composer(figure).compose(); }

Page compose(std::span<const plot::Figure> figures) {
  constexpr float kWide = 1.6f;  // times its height: two of them beside each other would be a stripe
  Page all;
  for (const plot::Figure& figure : figures) {
    Page page = compose(figure);
    const bool is_below = page.size.width > kWide * page.size.height;
    const float x = is_below ? 0 : all.size.width, y = is_below ? all.size.height : 0;
    for (plot::Mark& mark : page.marks) all.marks.push_back(moved(std::move(mark), x, y));
    all.size = {std::max(all.size.width, x + page.size.width),
                std::max(all.size.height, y + page.size.height)};
  }
  return all;
}

}  // namespace lanescope::exporting
