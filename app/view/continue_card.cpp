#include "view/continue_card.h"

#include "view/dialog_window.h"
#include "view/widgets.h"

namespace lanescope::view {

using plot::Color;
using plot::Role;

void ContinueCard::draw(const Context& context) {
  const Theme& theme = context.theme;
  draw_dialog(theme, "continue_card", opens_, 34, [&] {
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, context.text(Text::window_continue_title));
    paragraph(theme, {Face::Regular, 1, Color::of(Role::Dim)}, context.text(Text::window_continue_what));
    gap(theme, Space::Small);
    if (text_button(theme, "continue", context.text(Text::window_continue), Weight::Strong)) {
      context.actions.continue_kept();
      ImGui::CloseCurrentPopup();
    }
    ImGui::SameLine();
    if (text_button(theme, "later", context.text(Text::window_continue_later))) ImGui::CloseCurrentPopup();
  });
}

}  // namespace lanescope::view
