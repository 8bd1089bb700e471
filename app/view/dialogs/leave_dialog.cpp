#include "view/dialogs/leave_dialog.h"

#include "session/source_texts.h"
#include "view/widgets.h"

#include <algorithm>
#include <string>
#include <utility>

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

bool LeaveDialog::may_leave(const session::Snapshot& now, Typing typing) {
  if (leaves_ || (unsaved(now).empty() && typing == Typing::None)) return true;
  opens_ = true;
  return false;
}

/// Leaves once each text is saved; one that cannot be, or that another program changed, keeps the window
/// open.
void LeaveDialog::save(const Context& context) {
  const session::Snapshot& now = context.now;
  if (unsaved(now).empty()) {
    leaves_ = true;
  } else if (std::exchange(saving_, Saving::Posted) == Saving::Wanted) {
    for (const session::SourceText& file : now.sources->files)
      if (!file.is_saved) context.post(session::SaveText{file.path});
    return;
  } else {
    const bool is_disputed = std::ranges::any_of(now.sources->files, [](const session::SourceText& file) {
      return file.dispute != session::Dispute::None;
    });
    const bool is_refused = now.error && now.error->kind == ErrorKind::File;
    if (!is_disputed && !is_refused) return;
  }
  saving_ = Saving::No;
  ImGui::CloseCurrentPopup();
}

void LeaveDialog::draw(const Context& context, Typing typing) {
  const Theme& theme = context.theme;
  draw_dialog(theme, "leave_dialog", opens_, 34, [&] {
    paragraph(theme, {Face::Strong, 1.15f, Color::of(Role::Ink)}, context.text(Text::window_leave_title));
    paragraph(theme, {Face::Regular, 1, Color::of(Role::Dim)},
              context.phrase(Text::window_leave_which, unsaved(context.now)));
    gap(theme, Space::Small);
    // The last keys reach the session first.
    if (saving_ != Saving::No && typing == Typing::None) return save(context);
    if (text_button(theme, "save", context.text(Text::window_leave_saves), Weight::Strong))
      saving_ = Saving::Wanted;
    ImGui::SameLine();
    if (text_button(theme, "stay", context.text(Text::window_stay))) {
      saving_ = Saving::No;
      ImGui::CloseCurrentPopup();
    }
    ImGui::SameLine();
    if (!text_button(theme, "leave", context.text(Text::window_leave))) return;
    leaves_ = true;
    ImGui::CloseCurrentPopup();
  });
}

}  // namespace lanescope::view
