#include "view/leave_dialog.h"

#include "session/source_texts.h"
#include "view/widgets.h"

#include <string>

namespace lanescope::view {

using plot::Color;
using plot::Role;

namespace {

/// Names of the files whose text is not saved, with commas.
std::string unsaved(const session::Snapshot& now) {
  std::string names;
  if (!now.sources) return names;
  for (const session::SourceText& file : now.sources->files)
    if (!file.is_saved) names += (names.empty() ? "" : ", ") + file.path.filename().string();
  return names;
}

}  // namespace

bool LeaveDialog::may_leave(const session::Snapshot& now) {
  if (leaves_ || unsaved(now).empty()) return true;
  opens_ = true;
  return false;
}

void LeaveDialog::draw(const Context& context) {
  const Theme& theme = context.theme;
  draw_dialog(theme, "leave_dialog", opens_, 34, [&] {
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, context.text(Text::window_leave_title));
    paragraph(theme, {Face::Regular, 1, Color::of(Role::Dim)},
              context.phrase(Text::window_leave_which, unsaved(context.now)));
    gap(theme, Space::Small);
    if (text_button(theme, "stay", context.text(Text::window_stay), Weight::Strong))
      ImGui::CloseCurrentPopup();
    ImGui::SameLine();
    if (!text_button(theme, "leave", context.text(Text::window_leave))) return;
    leaves_ = true;
    ImGui::CloseCurrentPopup();
  });
}

}  // namespace lanescope::view
