#include "view/dialogs/save_dialog.h"

#include "view/widgets.h"

#include <system_error>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace fs = std::filesystem;

void SaveDialog::open(const fs::path& file, const fs::path& suggested) {
  opens_ = true;
  file_ = file;
  path_.begin(suggested);
}

void SaveDialog::draw(const Context& context) {
  const Theme& theme = context.theme;
  draw_dialog(theme, "save_dialog", opens_, 40, [&] {
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, context.text(Text::window_save_as_title));
    gap(theme, Space::Small);
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    if (path_.draw(context, Text::window_save_text)) {
      using Existing = session::SaveText::Existing;
      std::error_code ignored;
      const bool is_there = fs::exists(path_.path(), ignored);
      context.post(session::SaveText{file_, path_.path(), is_there ? Existing::Replace : Existing::Keep});
      ImGui::CloseCurrentPopup();
    }
    ImGui::SameLine();
    if (text_button(theme, "cancel", context.text(Text::window_close))) ImGui::CloseCurrentPopup();
  });
}

}  // namespace lanescope::view
