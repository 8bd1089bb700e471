#include "view/continue_card.h"

#include "view/dialogs/dialog_window.h"
#include "view/widgets.h"

namespace lanescope::view {

using plot::Color;
using plot::Role;

/// Whether what is opened has brought its panels forward, which closes a dialog.
bool ContinueCard::is_quiet(const session::Snapshot& now) {
  constexpr int kFrames = 3;
  const bool is_shown = !now.busy && (now.run || now.error);
  quiet_frames_ = is_shown ? quiet_frames_ + 1 : 0;
  return quiet_frames_ >= kFrames;
}

void ContinueCard::draw(const Context& context) {
  const Theme& theme = context.theme;
  constexpr const char* kName = "continue_card";
  bool opens = is_asked_ && is_quiet(context.now) && !ImGui::IsPopupOpen(kName);
  draw_dialog(theme, kName, opens, 34, [&] {
    const auto answer = [&] {
      is_asked_ = false;
      ImGui::CloseCurrentPopup();
    };
    if (wants_to_leave()) answer();
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, context.text(Text::window_continue_title));
    paragraph(theme, {Face::Regular, 1, Color::of(Role::Dim)}, context.text(Text::window_continue_what));
    gap(theme, Space::Small);
    if (text_button(theme, "continue", context.text(Text::window_continue), Weight::Strong)) {
      context.actions.continue_kept();
      answer();
    }
    ImGui::SameLine();
    if (text_button(theme, "later", context.text(Text::window_continue_later))) answer();
    ImGui::SameLine();
    if (text_button(theme, "discard", context.text(Text::window_continue_discard))) {
      context.actions.discard_kept();
      answer();
    }
  });
}

}  // namespace lanescope::view
