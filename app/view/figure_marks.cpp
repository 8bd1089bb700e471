#include "view/figure_marks.h"

#include "plot/text_width.h"

#include <cmath>

namespace lanescope::view {

using plot::Label;

namespace {

constexpr float kStepBack = 0.22f;  // opacity of marks outside the highlight

class Painter {
 public:
  Painter(const Theme& theme, const Highlight& highlight, ImDrawList& list, ImVec2 corner,
          const plot::Figure& figure)
      : theme_(theme), highlight_(highlight), list_(list), corner_(corner), figure_(figure) {}

  void operator()(const plot::Rect& rect) const {
    const Emphasis emphasis = emphasis_of(highlight_, pick(rect.pick));
    const float opacity = emphasis == Emphasis::Back ? kStepBack : 1;
    const ImVec2 a = at(rect.x, rect.y), b = at(rect.x + rect.width, rect.y + rect.height);
    if (b.x <= a.x || b.y <= a.y) return;
    // Invisible corners cost eight times the triangles of a plain rectangle.
    float radius = rect.radius * theme_.scale;
    if (radius < 0.75f) radius = 0;
    if (rect.fill) list_.AddRectFilled(a, b, faded(theme_.color(*rect.fill), opacity), radius);
    if (rect.stroke)
      list_.AddRect(a, b, faded(theme_.color(*rect.stroke), opacity), radius,
                    rect.stroke_width * theme_.scale);
    if (emphasis == Emphasis::Forward && !only_a_part(rect.pick))
      list_.AddRect(a - ImVec2(1, 1), b + ImVec2(1, 1), theme_.color(plot::Role::Ink), radius + 1,
                    1.5f * theme_.scale);
  }

  void operator()(const plot::Line& line) const {
    const bool back = emphasis_of(highlight_, pick(line.pick)) == Emphasis::Back ||
                      (!line.pick && is_of_other_lane(line.color));
    const float opacity = back ? kStepBack : 1;
    list_.AddLine(at(line.x1, line.y1), at(line.x2, line.y2), faded(theme_.color(line.color), opacity),
                  line.width * theme_.scale);
  }

  void operator()(const Label& label) const {
    draw_label(theme_, list_, at(label.x, label.y), static_cast<Face>(label.face), label.size * theme_.scale,
               theme_.color(label.color), label.anchor, label.text);
  }

  void operator()(const plot::Cells&) const {}

 private:
  ImVec2 at(float x, float y) const { return corner_ + ImVec2(x * theme_.scale, y * theme_.scale); }
  const plot::Pick* pick(std::optional<size_t> index) const {
    return index ? &figure_.picks[*index] : nullptr;
  }
  /// A bank's well or a line of memory holds several lanes: it is not framed when only one of them is
  /// highlighted.
  bool only_a_part(std::optional<size_t> index) const {
    const plot::Pick* found = pick(index);
    return found != nullptr && found->lanes.any() && (found->lanes.bits & ~highlight_.shown().bits) != 0;
  }

  /// Lines from lane to bank have no pick, but the color of their lane, the same everywhere (plot/color.h).
  bool is_of_other_lane(const plot::Color& color) const {
    const LaneMask lanes = highlight_.shown();
    if (!lanes.any() || color.scale != plot::Color::Scale::Amount) return false;
    const int lane = static_cast<int>(std::lround(color.amount * (kLanes - 1)));
    return plot::Color::of_lane(lane).amount == color.amount && !lanes.test(lane);
  }

  const Theme& theme_;
  const Highlight& highlight_;
  ImDrawList& list_;
  ImVec2 corner_;
  const plot::Figure& figure_;
};

}  // namespace

Emphasis emphasis_of(const Highlight& highlight, const plot::Pick* pick) {
  if (pick == nullptr) return Emphasis::None;
  if (const LaneMask lanes = highlight.shown(); lanes.any() && pick->lanes.any())
    return (lanes.bits & pick->lanes.bits) != 0 ? Emphasis::Forward : Emphasis::Back;
  if (highlight.block && pick->block)
    return *pick->block == *highlight.block ? Emphasis::Forward : Emphasis::None;
  if (highlight.site && pick->site)
    return *pick->site == *highlight.site ? Emphasis::Forward : Emphasis::None;
  return Emphasis::None;
}

void draw_label(const Theme& theme, ImDrawList& list, ImVec2 at, Face face, float em_pixels, ImU32 color,
                Label::Anchor anchor, std::string_view text) {
  ImFont* font = theme.font(face);
  const float size = theme.font_size(face, em_pixels);
  float x = at.x;
  if (anchor != Label::Anchor::Start) {
    const float width = font->CalcTextSizeA(size, FLT_MAX, 0, begin_of(text), end_of(text)).x;
    x -= anchor == Label::Anchor::Middle ? width / 2 : width;
  }
  // Dear ImGui positions the top of the line; capitals are on the baseline, one ascent below it.
  const float top =
      at.y + static_cast<float>(plot::kCapitalHeight) / 2 * em_pixels - font->GetFontBaked(size)->Ascent;
  list.AddText(font, size, {std::round(x), std::round(top)}, color, begin_of(text), end_of(text));
}

void draw_plain_marks(const Theme& theme, const Highlight& highlight, ImDrawList& list, ImVec2 corner,
                      const plot::Figure& figure, Ticks ticks) {
  const Painter painter(theme, highlight, list, corner, figure);
  const plot::Cells* map = nullptr;
  if (ticks == Ticks::LeftOut)
    for (const plot::Mark& mark : figure.marks)
      if (const auto* cells = std::get_if<plot::Cells>(&mark)) map = cells;
  for (const plot::Mark& mark : figure.marks) {
    if (map != nullptr) {
      // Numbers are above or left of the map; frames of tiles are on it.
      const auto* label = std::get_if<Label>(&mark);
      if (label != nullptr && (label->y < map->y || (label->x < map->x && label->y < map->y + map->height)))
        continue;
      if (std::holds_alternative<plot::Rect>(mark) && std::get<plot::Rect>(mark).pick) continue;
    }
    std::visit(painter, mark);
  }
}

}  // namespace lanescope::view
