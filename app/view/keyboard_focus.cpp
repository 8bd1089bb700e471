#include "view/keyboard_focus.h"

#include "view/imgui.h"

namespace lanescope::view {

void KeyboardFocus::advance() {
  ImGuiIO& io = ImGui::GetIO();
  had_menu_ = has_menu_;
  has_menu_ = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  starts_ = !roams_ && !has_menu() && !io.WantTextInput && ImGui::IsKeyPressed(ImGuiKey_Tab, false) &&
            io.KeyMods == ImGuiMod_None;
  const bool ends = (!has_menu() && ImGui::IsKeyPressed(ImGuiKey_Escape, false)) ||
                    ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (roams_ && ends) ImGui::SetNavCursorVisible(false);
  roams_ = starts_ || (roams_ && !ends);
  if (has_keys())
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  else
    io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
}

}  // namespace lanescope::view
