#include "view/side_mark.h"

#include "view/widgets.h"

#include <cmath>

namespace lanescope::view {

using plot::Color;
using plot::Role;
using session::Side;

float draw_side(const Theme& theme, ImDrawList& list, ImVec2 left_middle, Side side) {
  const float edge = std::round(theme.em(1.3f));
  const ImVec2 corner{left_middle.x, std::round(left_middle.y - edge / 2)};
  const bool is_a = side == Side::A;
  const std::string_view letter = is_a ? "A" : "B";
  list.AddRectFilled(corner, corner + ImVec2(edge, edge), theme.color(is_a ? Role::Dim : Role::Accent),
                     theme.space(Space::Small));
  const float width = text_width(theme, Face::Strong, kSmallText, letter);
  draw_text(theme, list, {corner.x + (edge - width) / 2, left_middle.y},
            {Face::Strong, kSmallText, Color::of(is_a ? Role::Surface : Role::OnAccent)}, letter);
  return corner.x + edge;
}

}  // namespace lanescope::view
