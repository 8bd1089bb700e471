#include "view/save_dialog.h"

#include "view/dialog_window.h"
#include "view/widgets.h"

#include <system_error>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace fs = std::filesystem;

void SaveDialog::open(const fs::path& file, const fs::path& suggested) {
  opening_ = true;
  file_ = file;
  path_ = suggested.string();
  replaces_.clear();
}

void SaveDialog::save(const Context& context) {
  if (path_.empty()) return;
  using Existing = session::SaveText::Existing;
  std::error_code ignored;
  const bool is_there = fs::exists(path_, ignored);
  if (is_there && replaces_ != path_) {
    replaces_ = path_;
    return;
  }
  context.post(session::SaveText{file_, path_, is_there ? Existing::Replace : Existing::Keep});
  ImGui::CloseCurrentPopup();
}

void SaveDialog::draw(const Context& context) {
  const Theme& theme = context.theme;
  if (opening_) ImGui::OpenPopup("save_dialog");
  opening_ = false;
  center_next_window(theme, 40);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      ImVec2(theme.space(Space::Huge), theme.space(Space::Huge)));
  if (ImGui::BeginPopupModal("save_dialog", nullptr, kDialogFlags)) {
    if (wants_to_leave()) ImGui::CloseCurrentPopup();
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, context.text(Text::window_save_as_title));
    ImGui::Dummy({0, theme.space(Space::Small)});
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    const bool entered = text_field(theme, "##path", path_, -1) && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
    const bool is_asked = !replaces_.empty() && replaces_ == path_;
    if (is_asked)
      paragraph(theme, {Face::Regular, kSmallText, Color::of(Role::Bad)},
                context.text(Text::window_file_exists));
    ImGui::Dummy({0, theme.space(Space::Small)});
    const Text label = is_asked ? Text::window_replace : Text::window_save_text;
    const bool pressed = text_button(theme, "save", context.text(label), Weight::Strong);
    if (pressed || entered) save(context);
    ImGui::SameLine();
    if (text_button(theme, "cancel", context.text(Text::window_close))) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace lanescope::view
